import { describeCorpus } from './corpora/corpus.ts'
import { GENERATED } from './corpora/default-corpora.ts'
import { generateTree } from './corpora/generate-tree.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { readWhole } from './read-flags.ts'
import { runCommand } from './run-command.ts'

type Flags = Readonly<Partial<Record<keyof typeof GENERATED, unknown>>>

/**
 * Makes a seeded tree, and says what is in it.
 */
export async function generate (argv: readonly string[]): Promise<void> {
  await runCommand('npm run generate --', argv, {
    usage: '<dir>',
    description: 'make a seeded tree in a new directory',
    flags: {
      '--files <n>': `how many files (${GENERATED.files})`,
      '--bytes <n>': `bytes of all files together (${GENERATED.bytes})`,
      '--depth <n>': `how many directories deep the deepest file may lie (${GENERATED.depth})`,
      '--duplicates <share>': `share of the files that repeat the content of another one, 0 to 1 (${GENERATED.duplicates})`,
      '--seed <text>': `what everything is drawn from (${GENERATED.seed})`
    },
    run
  })
}

async function run (flags: Flags, path = ''): Promise<void> {
  const directory = resolveGiven(path)

  await generateTree(directory, {
    files: readWhole('files', flags.files ?? GENERATED.files, 0),
    bytes: readWhole('bytes', flags.bytes ?? GENERATED.bytes, 0),
    depth: readWhole('depth', flags.depth ?? GENERATED.depth, 0),
    duplicates: Number(flags.duplicates ?? GENERATED.duplicates),
    seed: String(flags.seed ?? GENERATED.seed)
  })

  const { files, directories, bytes } = await describeCorpus({ name: path, directory })

  process.stdout.write(`${path}: ${files} files of ${bytes} bytes in ${directories} directories\n`)
}
