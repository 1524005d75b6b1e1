import { throwIfAborted } from '../abort.ts'
import { WatchOverflowError } from '../errors.ts'
import { compileGlob } from '../glob/index.ts'
import { printable } from '../printable.ts'
import { canonicalPath } from '../tree/index.ts'
import { checkBoolean, checkInteger, readOptions, toPath, wrongType, wrongValue } from './node-api/arguments.ts'
import { decodeText, encodeText } from './node-api/encoding.ts'
import { locatePresent } from './operations/place.ts'
import type { ChangeType, CollectedChanges } from './draft/change-emitter.ts'
import type { EncodingOptions, PathLike } from './node-api/arguments.ts'
import type { Encoding } from './node-api/encoding.ts'
import type { TreeDirectory } from '../tree/index.ts'

/** Options of `fs.watch()`. */
export interface WatchOptions extends EncodingOptions {
  /** Watch everything below a directory as well. Default: false */
  readonly recursive?: boolean
  /** Taken for the sake of Node; watching keeps no process alive */
  readonly persistent?: boolean
  /** Events to keep until they are asked for. Default: 2,048 */
  readonly maxQueue?: number
  /** What to do with more of them: drop them, and say so in a warning, or end with an error. Default: `'ignore'` */
  readonly overflow?: 'ignore' | 'error'
  /**
   * Tell of no edit whose filename is found by one of these: a glob pattern, held against the last name where it has no slash; a regular
   * expression; or a function that returns true. Default: none
   */
  readonly ignore?: WatchIgnore | readonly WatchIgnore[]
}

/** What finds filenames that are not told of. */
export type WatchIgnore = string | RegExp | ((filename: string) => boolean)

/** An edit of what is watched. */
export interface WatchEvent<Name extends string | Uint8Array = string> {
  readonly eventType: ChangeType
  /** The name in the watched directory, with its way there where that is watched recursively; a watched file's own name */
  readonly filename: Name
}

const defaultMaxQueue = 2_048

/** What is watched: the path from the root on which no link is. */
interface Target {
  readonly path: string
  readonly isDirectory: boolean
}

/**
 * The edits of a path among those that are collected, until the caller stops. Where it is aborted, those that came before are
 * told of first.
 *
 * @throws {AbortError}
 * @throws {WatchOverflowError}
 */
export async function * watch (changes: CollectedChanges, openRoot: () => Promise<TreeDirectory>, path: PathLike, options: WatchOptions = {}): AsyncGenerator<WatchEvent<string | Uint8Array>, undefined> {
  const { recursive, encoding, maxQueue, overflow, isIgnored, signal } = watchOptions(options)
  const given = toPath(path, 'watch')
  throwIfAborted(signal)
  const queue: Array<WatchEvent<string | Uint8Array> | Failure> = []
  const target = await findTarget(openRoot, given)
  let isOverflown = false
  let wake = (): void => {}

  const sleep = async (): Promise<void> => new Promise(resolve => {
    wake = resolve
  })

  const end = (): void => {
    changes.stop()
    wake()
  }

  try {
    signal?.addEventListener('abort', end)
    changes.listen((eventType, changed) => {
      const filename = nameFor(target, changed, recursive)

      try {
        if (filename === undefined || isIgnored(filename)) {
          return
        }

        if (queue.length < maxQueue) {
          queue.push({ eventType, filename: encoded(filename, encoding) })
        } else if (overflow === 'error') {
          throw new WatchOverflowError(maxQueue)
        } else if (!isOverflown) {
          isOverflown = true
          sayOverflow(target.path, maxQueue)
        }
      } catch (err) {
        // the edit is not to fail by it
        queue.splice(0, queue.length, new Failure(err))
      }

      wake()
    })

    for (;;) {
      const event = queue.shift()
      isOverflown &&= event !== undefined

      if (event instanceof Failure) {
        throw event.reason
      }

      if (event !== undefined) {
        yield event
        continue
      }

      throwIfAborted(signal)
      await sleep()
    }
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** What watching ends with. */
class Failure {
  readonly reason: unknown

  constructor (reason: unknown) {
    this.reason = reason
  }
}

async function findTarget (openRoot: () => Promise<TreeDirectory>, path: string): Promise<Target> {
  const found = await locatePresent(await openRoot(), path, 'watch', {})

  return { path: canonicalPath(found), isDirectory: found.node.kind === 'directory' }
}

function sayOverflow (path: string, maxQueue: number): void {
  import('../warn.ts').then(({ warn }) => {
    warn('DAGFS_WATCH_OVERFLOW', `watch('${printable(path)}') has ${maxQueue} unread events, and drops further ones`)
  }).catch(() => {
    // where a page cannot load it, its console says so
  })
}

interface CheckedOptions extends Required<Pick<WatchOptions, 'recursive' | 'maxQueue' | 'overflow'>>, EncodingOptions {
  isIgnored(filename: string): boolean
}

function watchOptions (options: WatchOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) {
    throw wrongType('options', 'of type object', options)
  }

  const { recursive = false, persistent = true, maxQueue = defaultMaxQueue, overflow = 'ignore', ignore, encoding, signal } = readOptions<WatchOptions>(options)
  checkBoolean(persistent, 'options.persistent')

  if (overflow !== 'ignore' && overflow !== 'error') {
    throw wrongValue('options.overflow', overflow, "must be one of: 'ignore', 'error'")
  }

  return {
    recursive: checkBoolean(recursive, 'options.recursive'),
    maxQueue: checkInteger(maxQueue, 'options.maxQueue', Number.MIN_SAFE_INTEGER),
    overflow,
    isIgnored: readIgnore(ignore),
    encoding,
    signal
  }
}

function readIgnore (ignore: unknown): CheckedOptions['isIgnored'] {
  if (ignore === undefined || ignore === null) {
    return () => false
  }

  const tests = Array.isArray(ignore)
    ? ignore.map((each: unknown, i) => ignoreTest(each, `options.ignore[${i}]`))
    : [ignoreTest(ignore, 'options.ignore')]

  return filename => tests.some(test => test(filename))
}

function ignoreTest (ignore: unknown, argument: string): (filename: string) => boolean {
  if (typeof ignore === 'function') {
    return filename => Boolean(ignore(filename))
  }

  if (ignore instanceof RegExp) {
    return filename => ignore.test(filename)
  }

  if (typeof ignore !== 'string') {
    throw wrongType(argument, 'one of type string or function or an instance of RegExp', ignore)
  }

  if (ignore === '') {
    throw wrongValue(argument, ignore, 'must be a non-empty string')
  }

  return compileGlob(ignore, { option: 'ignore', matchBase: true })
}

function nameFor ({ path, isDirectory }: Target, changed: string, recursive: boolean): string | undefined {
  if (changed === path) {
    return path.slice(path.lastIndexOf('/') + 1)
  }

  const prefix = path === '/' ? '/' : `${path}/`

  if (!isDirectory || !changed.startsWith(prefix)) {
    return undefined
  }

  const name = changed.slice(prefix.length)

  return recursive || !name.includes('/') ? name : undefined
}

function encoded (name: string, encoding: Encoding | 'buffer' | null = 'utf8'): string | Uint8Array {
  if (encoding === 'buffer') {
    return encodeText(name)
  }

  return encoding === null ? name : decodeText(encodeText(name), encoding)
}
