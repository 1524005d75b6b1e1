import * as node from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { below } from '../seed.ts'

type Fs = typeof node

interface Copy {
  readonly from: string
  readonly to: string
  readonly options: Record<string, boolean>
  /** The names that the filter does not want; undefined for no filter */
  readonly unwanted?: string | undefined
}

const names = ['a', 'b', 'c']
const targets = ['a', 'b', '../a', '..', 'nowhere', 'a/b', '../b/c', 'nowhere/a']

interface Answers {
  readonly given: Copy
  readonly byNode: string
  readonly own: string
}

/** What Node answers otherwise, and when. */
export const differences: ReadonlyArray<{ readonly why: string, holds(answers: Answers): boolean }> = [
  {
    why: 'Node looks at both paths at once, and tells of the one that fails first',
    holds: ({ byNode, own }) => /^E[A-Z]+ [a-z]?stat/.test(byNode) && /^E[A-Z]+ [a-z]?stat/.test(own)
  },
  {
    why: 'a link that leads nowhere takes the place of another',
    holds: ({ byNode, own }) => /^E(?:NOENT|LOOP) stat/.test(byNode) && own.startsWith('done')
  },
  {
    why: 'a directory is not copied into itself by a way through links either, which Node sees in part',
    holds: ({ byNode, own }) => isIntoItself(own) || (isIntoItself(byNode) && !own.startsWith('done'))
  },
  {
    why: 'directories are copied name by name in order, so that what was copied before a refusal differs',
    holds: ({ given, byNode }) => given.options.recursive && !byNode.startsWith('done')
  }
]

/** Copies something in a random tree on both sides, below a directory of the host; answers what differs and is not in the table. */
export async function faultOfCopy (next: () => number, parent: string): Promise<string | undefined> {
  // links lead two levels up at most
  const top = join(parent, 'copies')
  const root = join(top, 'x/y')
  const fs = dagfs({ blockstore: new MemoryBlockstore() }) as unknown as Fs
  const planted = await plant(next, root, [node, fs])
  const given = randomCopy(next, root, planted)
  const own = await outcome(fs, top, given)
  // Node may go on until paths are too long
  const byNode = isIntoItself(own) ? own : await outcome(node, top, given)
  await node.rm(top, { recursive: true })

  if (byNode === own || differences.some(({ holds }) => holds({ given, byNode, own }))) {
    return
  }

  return `${JSON.stringify({ given, planted })}\nNode: ${byNode}\ndagfs: ${own}`.replaceAll(root, '')
}

function isIntoItself (outcome: string): boolean {
  return outcome.includes('to a subdirectory of self')
}

async function plant (next: () => number, root: string, both: readonly Fs[]): Promise<string[]> {
  const planted: string[] = []
  const directories = [root]

  for (const each of both) {
    await each.mkdir(root, { recursive: true })
  }

  for (let i = 0; i < 9; i++) {
    const path = join(directories[below(next, directories.length)], names[below(next, names.length)])
    const kind = below(next, 4)
    const target = targets[below(next, targets.length)]
    const steps: Array<(each: Fs) => Promise<unknown>> = [
      async each => each.symlink(target, path),
      async each => each.writeFile(path, String(i), { flag: 'wx' }),
      async each => each.mkdir(path)
    ]

    if (!planted.some(each => each.startsWith(`${path} `))) {
      for (const each of both) {
        await (steps[kind] ?? steps[2])(each)
      }

      planted.push(`${path} ${kind === 0 ? `-> ${target}` : kind}`)
      directories.push(...kind > 1 ? [path] : [])
    }
  }

  return planted
}

function randomCopy (next: () => number, root: string, planted: readonly string[]): Copy {
  const path = (): string => {
    const known = planted[below(next, planted.length)].split(' ')[0]

    return below(next, 3) > 0 ? known : join(known, names[below(next, names.length)])
  }

  const flag = (): boolean => below(next, 2) === 0
  const options = { recursive: below(next, 4) > 0, force: flag(), errorOnExist: flag(), dereference: flag(), verbatimSymlinks: false, preserveTimestamps: flag() }

  // not both
  options.verbatimSymlinks = !options.dereference && flag()

  return { from: path(), to: path(), options, unwanted: below(next, 4) === 0 ? names[below(next, names.length)] : undefined }
}

async function outcome (fs: Fs, root: string, { from, to, options, unwanted }: Copy): Promise<string> {
  const filter = unwanted === undefined ? {} : { filter: (path: string) => !path.endsWith(`/${unwanted}`) }

  const result = await fs.cp(from, to, { ...options, ...filter }).then(() => 'done', (err: Error & { code: string, syscall: string }) => {
    // Node cuts what it says of names
    return `${err.code} ${err.syscall} ${err.message}`
  })

  return `${result}\n${(await dump(fs, root)).join('\n')}`
}

async function dump (fs: Fs, directory: string): Promise<string[]> {
  const lines: string[] = []

  for (const name of (await fs.readdir(directory)).sort()) {
    const path = join(directory, name)
    const stat = await fs.lstat(path)

    if (stat.isDirectory()) {
      lines.push(`${path}/`, ...await dump(fs, path))
    } else {
      lines.push(`${path} ${stat.isFile() ? await fs.readFile(path, 'utf8') : `-> ${await fs.readlink(path)}`}`)
    }
  }

  return lines
}
