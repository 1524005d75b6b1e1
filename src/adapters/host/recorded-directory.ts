import { pace } from '../../pace.ts'
import type { AbortOptions } from '../../options.ts'

/** What is recorded of a directory: facts of itself, and of what is in it. */
export interface RecordedDirectory {
  facts: string
  readonly names: Map<string, string | RecordedDirectory>
}

/** What became of a path: its facts, or null where there is nothing any more. */
export interface RecordedChange {
  readonly path: string
  readonly facts: string | null
}

export function emptyDirectory (): RecordedDirectory {
  return { facts: 'd', names: new Map() }
}

/** The directory at a path, which is made where there is none. */
export function recordedDirectoryAt (root: RecordedDirectory, path: string): RecordedDirectory {
  let directory = root

  for (const name of path === '' ? [] : path.split('/')) {
    const found = directory.names.get(name)
    const next = typeof found === 'object' ? found : emptyDirectory()
    directory.names.set(name, next)
    directory = next
  }

  return directory
}

export function changeName (directory: RecordedDirectory, name: string, facts: string | null): void {
  const before = directory.names.get(name)

  if (facts === null) {
    directory.names.delete(name)
  } else if (!facts.startsWith('d')) {
    directory.names.set(name, facts)
  } else if (typeof before === 'object') {
    before.facts = facts
  } else {
    directory.names.set(name, { facts, names: new Map() })
  }
}

/** Forgets files and links that something recorded later has facts of, and directories that have nothing else. */
export async function forgetNames (directory: RecordedDirectory, later: RecordedDirectory, options: AbortOptions): Promise<void> {
  await pace(options)

  for (const [name, found] of later.names) {
    const before = directory.names.get(name)

    if (typeof before === 'object' && typeof found === 'object') {
      await forgetNames(before, found, options)
    }

    if (typeof before === 'object' ? before.names.size === 0 : typeof found === 'string') {
      directory.names.delete(name)
    }
  }
}

export async function countNames (root: RecordedDirectory, options: AbortOptions): Promise<number> {
  const directories = [root]
  let all = 0

  for (const { names } of directories) {
    await pace(options)
    all += names.size

    for (const found of names.values()) {
      if (typeof found === 'object') {
        directories.push(found)
      }
    }
  }

  return all
}

/** Everything that is recorded below a directory, each directory before what is in it. */
export function * allNames ({ names }: RecordedDirectory, prefix: string): Generator<RecordedChange> {
  for (const [name, found] of names) {
    yield { path: prefix + name, facts: typeof found === 'string' ? found : found.facts }
  }

  for (const [name, found] of names) {
    if (typeof found === 'object') {
      yield * allNames(found, `${prefix}${name}/`)
    }
  }
}
