import { WatchOverflowError } from '../../errors.ts'
import { itemKeys, unlessAbsent } from './items.ts'
import { hasKey, pathKey } from './keys.ts'
import type { DriverFs } from './types.ts'

type Tell = (event: 'update' | 'remove', key: string) => unknown

// some MB; with more edits than that at once, all items are looked at anyway
const maxQueue = 16_384

/**
 * Tells of each item below the base that is set or removed, from the end of the call on until the signal aborts. What is
 * moved or removed with its directory is told of as well, so the keys are remembered. Where more is edited at once than can
 * be kept, every item that is there is told of as set, since any may have been.
 */
export async function watchItems (fs: DriverFs, base: string, tell: Tell, signal: AbortSignal): Promise<void> {
  // all of the tree: the base comes and goes with the items in it
  const watchAll = (): { readonly edits: ReturnType<DriverFs['watch']>, readonly first: Promise<IteratorResult<{ readonly filename: string }>> } => {
    const edits = fs.watch('/', { recursive: true, signal, maxQueue, overflow: 'error' })

    return { edits, first: edits.next() }
  }
  let watching = watchAll()
  const known = new Set(await keys(base))

  // where it fails, there is nobody to be told but the host of the program
  follow().catch(err => {
    if (!signal.aborted) {
      throw err
    }
  })

  async function keys (directory: string): Promise<string[]> {
    return await unlessAbsent(itemKeys(fs, base, directory)) ?? []
  }

  async function follow (): Promise<void> {
    for (;;) {
      try {
        await followEdits()
        return
      } catch (err) {
        if (!(err instanceof WatchOverflowError)) {
          throw err
        }

        watching = watchAll()
        const found = new Set(await keys(base))
        Array.from(known).filter(key => !found.has(key)).forEach(remove)
        found.forEach(update)
      }
    }
  }

  async function followEdits (): Promise<void> {
    const { edits, first } = watching

    for (let edit = await first; edit.done !== true; edit = await edits.next()) {
      const path = `/${edit.value.filename}`

      if (`${base}/`.startsWith(`${path}/`)) {
        await lookInto(base, [...known])
      } else if (base === '/' || path.startsWith(`${base}/`)) {
        await look(path)
      }
    }
  }

  async function look (path: string): Promise<void> {
    const key = pathKey(base, path)

    if (!path.slice(base === '/' ? 1 : base.length + 1).split('/').every(hasKey)) {
      return
    }

    const stats = await unlessAbsent(fs.stat(path))

    if (stats?.isDirectory() === true) {
      await lookInto(path, [])
    } else {
      keysAt(key, stats !== undefined).forEach(remove)

      if (stats !== undefined) {
        update(key)
      }
    }
  }

  /** Tells of the items that came to be in a directory, and which of those that were known went. */
  async function lookInto (directory: string, before: readonly string[]): Promise<void> {
    const found = new Set(await keys(directory))
    before.filter(key => !found.has(key)).forEach(remove)
    Array.from(found).filter(key => !known.has(key)).forEach(update)
  }

  /** What was known of a key and below it, itself left out where it is there */
  function keysAt (key: string, isThere: boolean): string[] {
    if (known.has(key)) {
      return isThere ? [] : [key]
    }

    return [...known].filter(other => other.startsWith(`${key}:`))
  }

  function update (key: string): void {
    known.add(key)
    tell('update', key)
  }

  function remove (key: string): void {
    known.delete(key)
    tell('remove', key)
  }
}
