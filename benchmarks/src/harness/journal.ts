import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, format, parse } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { FileHandle } from 'node:fs/promises'

/**
 * What was measured already, part by part, so that a run which ended early can
 * go on
 */
export interface Journal {
  find(key: string): unknown
  /**
   * Has the result on the disk when it settles
   */
  keep(key: string, result: unknown): Promise<void>
}

interface Line {
  readonly key: string
  readonly result: unknown
}

/**
 * For runs that nobody wants to resume
 */
export const noJournal: Journal = { find: () => undefined, keep: async () => {} }

/**
 * Opens a file of JSON lines, or begins it: the first says whose results they
 * are, each other one is a part. A line that was not written to its end, since
 * the process died meanwhile, is cut off.
 *
 * @throws {Error} where the file is of a run with other options, of other code or of another machine, whose figures
 * must not be mixed
 */
export async function withJournal <T> (file: string, identity: object, run: (journal: Journal) => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true })

  const handle = await open(file, 'a+')

  try {
    return await run(await readJournal(file, handle, identity))
  } finally {
    await handle.close()
  }
}

/**
 * Gives the file of an earlier run another name, so that a new one can begin without losing what that one measured, and answers the name;
 * undefined where there is no such file. The one that was set aside before is replaced.
 */
export async function setAside (file: string): Promise<string | undefined> {
  const { dir, name, ext } = parse(file)
  const aside = format({ dir, name: `${name}-before`, ext })

  try {
    await rename(file, aside)
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return undefined
    }

    throw err
  }

  return aside
}

/**
 * Returns a journal whose keys are in a room of their own.
 */
export function journalOf (journal: Journal, room: string): Journal {
  return {
    find: key => journal.find(`${room}/${key}`),
    keep: async (key, result) => journal.keep(`${room}/${key}`, result)
  }
}

/**
 * Returns the same journal, and whether it has given anything back so far.
 */
export function watchedJournal (journal: Journal): { readonly journal: Journal, hasGiven(): boolean } {
  let hasGiven = false

  return {
    journal: {
      find (key) {
        const found = journal.find(key)
        hasGiven ||= found !== undefined

        return found
      },
      keep: async (key, result) => journal.keep(key, result)
    },
    hasGiven: () => hasGiven
  }
}

/**
 * Returns a journal that does not give back what failed, a full disk being no
 * property of a contender: such a part is measured again.
 */
export function withoutFailures (journal: Journal): Journal {
  return {
    find (key) {
      const kept = journal.find(key)

      return hasFailure(kept) ? undefined : kept
    },
    keep: async (key, result) => journal.keep(key, result)
  }
}

/**
 * Whether there is a row in it, wherever, that failed
 */
function hasFailure (value: unknown): boolean {
  if (typeof value !== 'object' || value == null) {
    return false
  }

  return ('status' in value && value.status === 'failed') || Object.values(value).some(hasFailure)
}

async function readJournal (file: string, handle: FileHandle, identity: object): Promise<Journal> {
  const bytes = await readFile(handle)
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1)
  const [first, ...lines] = whole.toString().split('\n').filter(line => line !== '')
  const kept = new Map(lines.map(line => JSON.parse(line) as Line).map(({ key, result }) => [key, result]))
  // what JSON does to it, it has done to the one in the file too
  const own: unknown = JSON.parse(JSON.stringify(identity))

  await handle.truncate(whole.byteLength)

  if (first == null) {
    await append(handle, own)
  } else if (!isDeepStrictEqual(JSON.parse(first), own)) {
    throw new Error(`${file} is of a run with other options, of another commit or other code, or of another machine; resume with the same, or name a file that is not there yet`)
  }

  return {
    find: key => kept.get(key),
    async keep (key, result) {
      kept.set(key, result)
      await append(handle, { key, result })
    }
  }
}

async function append (handle: FileHandle, value: unknown): Promise<void> {
  await handle.appendFile(`${JSON.stringify(value)}\n`)
  await handle.datasync()
}
