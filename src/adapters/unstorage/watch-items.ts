import { joinPath } from '../../path.ts'
import { itemKeys, unlessAbsent } from './items.ts'
import { hasKey } from './keys.ts'
import type { DriverFs } from './types.ts'

type Tell = (event: 'update' | 'remove', key: string) => unknown

/**
 * Tells of each item below the base that is set or removed, from the end of the call on until the signal aborts. What is
 * moved or removed with its directory is told of as well, so the keys are remembered.
 */
export async function watchItems (fs: DriverFs, base: string, tell: Tell, signal: AbortSignal): Promise<void> {
  await fs.mkdir(base, { recursive: true })
  const edits = fs.watch(base, { recursive: true, signal })
  const first = edits.next()
  const known = new Set(await itemKeys(fs, base, base))

  // where it fails, there is nobody to be told but the host of the program
  follow().catch(err => {
    if (!signal.aborted) {
      throw err
    }
  })

  async function follow (): Promise<void> {
    for (let edit = await first; edit.done !== true; edit = await edits.next()) {
      if (edit.value.filename.split('/').every(hasKey)) {
        await look(edit.value.filename)
      }
    }
  }

  async function look (filename: string): Promise<void> {
    const [path, key] = [joinPath(base, filename), filename.replaceAll('/', ':')]
    const stats = await unlessAbsent(fs.stat(path))

    if (stats?.isDirectory() === true) {
      const keys = await unlessAbsent(itemKeys(fs, base, path)) ?? []
      keys.filter(found => !known.has(found)).forEach(update)
    } else {
      keysAt(key, stats !== undefined).forEach(remove)

      if (stats !== undefined) {
        update(key)
      }
    }
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
