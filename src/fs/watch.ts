import { WatchOverflowError } from '../errors.ts'
import { printable } from '../printable.ts'
import { checkBoolean, checkInteger, readOptions, wrongType, wrongValue } from './node-api/arguments.ts'
import { decodeText, encodeText } from './node-api/encoding.ts'
import type { ChangeEmitter, ChangeType } from './draft/change-emitter.ts'
import type { EncodingOptions } from './node-api/arguments.ts'
import type { Encoding } from './node-api/encoding.ts'

export interface WatchOptions extends EncodingOptions {
  /** Watch everything below a directory as well. Default: false */
  readonly recursive?: boolean
  /** Taken for the sake of Node; watching keeps no process alive */
  readonly persistent?: boolean
  /** Events to keep until they are asked for. Default: 2,048 */
  readonly maxQueue?: number
  /** What to do with more of them: drop them, and say so in a warning, or end with an error. Default: `'ignore'` */
  readonly overflow?: 'ignore' | 'error'
}

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
 * The edits of a path from the first request on, until the caller stops.
 *
 * @throws {WatchOverflowError}
 */
export async function * watch (changes: ChangeEmitter, find: () => Promise<Target>, options: WatchOptions = {}): AsyncGenerator<WatchEvent<string | Uint8Array>, undefined> {
  const { recursive, encoding, maxQueue, overflow, signal } = watchOptions(options)
  signal?.throwIfAborted()
  const queue: Array<WatchEvent<string | Uint8Array> | WatchOverflowError> = []
  /** Edits that were told of before it was known what is watched */
  const early: Array<[ChangeType, string]> = []
  let target: Target | undefined
  let isOverflown = false
  let wake = (): void => {}

  const sleep = async (): Promise<void> => new Promise(resolve => {
    wake = resolve
  })

  const take = (eventType: ChangeType, path: string): void => {
    const filename = target === undefined ? undefined : nameFor(target, path, recursive)

    if (target === undefined || filename === undefined) {
      return
    }

    if (queue.length < maxQueue) {
      queue.push({ eventType, filename: encoded(filename, encoding) })
    } else if (overflow === 'error') {
      queue.splice(0, queue.length, new WatchOverflowError(maxQueue))
    } else if (!isOverflown) {
      isOverflown = true
      sayOverflow(target.path, maxQueue)
    }

    wake()
  }

  const forget = changes.listen((eventType, path) => {
    if (target === undefined) {
      early.push([eventType, path])
    } else {
      take(eventType, path)
    }
  })

  const abort = (): void => {
    wake()
  }
  signal?.addEventListener('abort', abort)

  try {
    target = await find()
    early.forEach(change => {
      take(...change)
    })

    for (;;) {
      signal?.throwIfAborted()
      const event = queue.shift()
      isOverflown &&= event !== undefined

      if (event instanceof WatchOverflowError) {
        throw event
      }

      if (event !== undefined) {
        yield event
        continue
      }

      await sleep()
    }
  } finally {
    forget()
    signal?.removeEventListener('abort', abort)
  }
}

function sayOverflow (path: string, maxQueue: number): void {
  import('../warn.ts').then(({ warn }) => {
    warn('DAGFS_WATCH_OVERFLOW', `watch('${printable(path)}') has ${maxQueue} events that nobody took, and drops further ones`)
  }).catch(() => {
    // where a page cannot load it, its console says so
  })
}

function watchOptions (options: WatchOptions): Required<Pick<WatchOptions, 'recursive' | 'maxQueue' | 'overflow'>> & EncodingOptions {
  if (typeof options !== 'object' || options === null) {
    throw wrongType('options', 'of type object', options)
  }

  const { recursive = false, persistent = true, maxQueue = defaultMaxQueue, overflow = 'ignore', encoding, signal } = readOptions<WatchOptions>(options)
  checkBoolean(persistent, 'options.persistent')

  if (overflow !== 'ignore' && overflow !== 'error') {
    throw wrongValue('options.overflow', overflow, "must be one of: 'ignore', 'error'")
  }

  return {
    recursive: checkBoolean(recursive, 'options.recursive'),
    maxQueue: checkInteger(maxQueue, 'options.maxQueue', Number.MIN_SAFE_INTEGER),
    overflow,
    encoding,
    signal
  }
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
