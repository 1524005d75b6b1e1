import { cac } from 'cac'
import { describeCorpus } from './corpora/corpus.ts'
import { GENERATED } from './corpora/default-corpora.ts'
import { generateTree } from './corpora/generate-tree.ts'
import { describeError } from './harness/describe-error.ts'
import { resolveGiven } from './harness/resolve-given.ts'

interface Flags {
  readonly files: number
  readonly bytes: number
  readonly depth: number
  readonly duplicates: number
  readonly seed: string | number
}

/**
 * Makes a seeded tree, and says what is in it.
 */
export async function generate (argv: readonly string[]): Promise<void> {
  const cli = cac('npm run generate --')

  cli.command('<dir>', 'make a seeded tree in a new directory')
    .option('--files <n>', 'how many files', { default: GENERATED.files })
    .option('--bytes <n>', 'bytes of all files together', { default: GENERATED.bytes })
    .option('--depth <n>', 'how many directories deep the deepest file may lie', { default: GENERATED.depth })
    .option('--duplicates <share>', 'share of the files that repeat the content of another one, 0 to 1', { default: GENERATED.duplicates })
    .option('--seed <text>', 'what everything is drawn from', { default: GENERATED.seed })
    .action(make)
  cli.help()

  try {
    cli.parse([...argv], { run: false })
    await cli.runMatchedCommand()
  } catch (err) {
    process.stderr.write(`${describeError(err)}\n`)
    process.exitCode = 1
  }
}

async function make (path: string, flags: Flags): Promise<void> {
  const directory = resolveGiven(path)

  await generateTree(directory, {
    files: Number(flags.files),
    bytes: Number(flags.bytes),
    depth: Number(flags.depth),
    duplicates: Number(flags.duplicates),
    seed: String(flags.seed)
  })

  const { files, directories, bytes } = await describeCorpus({ name: path, directory })

  process.stdout.write(`${path}: ${files} files of ${bytes} bytes in ${directories} directories\n`)
}
