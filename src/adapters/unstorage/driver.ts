import pLimit from 'p-limit'
import { InvalidOptionError, RootConflictError } from '../../errors.ts'
import { checkOptions } from '../../options.ts'
import { absolutePath } from '../../path.ts'
import { clearItems, itemKeys, removeItem, unlessAbsent, writeItem } from './items.ts'
import { basePath, keyPath } from './keys.ts'
import { watchItems } from './watch-items.ts'
import type { DagFsDriver, DriverFs, DriverOptions, ItemMeta, RawValue } from './types.ts'
import type { FileContent, Stats } from '../../fs/index.ts'

// somebody else may be first again and again
const maxAttempts = 32

/**
 * Keeps the items of an unstorage storage as files of a dagfs: the key `a:b:c` is the file `/a/b/c`. Directories come and
 * go with the items in them, so that equal items give equal roots. As on a disk, an item cannot have items below it.
 *
 * @example
 *
 * ```ts
 * import { MemoryBlockstore } from 'blockstore-core'
 * import { dagfs } from 'dagfs'
 * import { dagfsDriver } from 'dagfs/unstorage'
 * import { createStorage } from 'unstorage'
 *
 * const fs = dagfs({ blockstore: new MemoryBlockstore() })
 * const storage = createStorage({ driver: dagfsDriver({ fs }) })
 *
 * await storage.setItem('users:ada', { name: 'Ada' })
 * const { root } = await fs.commit()
 *
 * console.log(String(root), await storage.getKeys('users'))
 * ```
 *
 * @throws {InvalidOptionError} for an option that is unknown or cannot be used
 */
export function dagfsDriver (options: DriverOptions): DagFsDriver {
  checkOptions(options, ['fs', 'base', 'commit'])
  const { fs, commit = 'manual' } = options

  if (typeof fs?.writeFile !== 'function') {
    throw new InvalidOptionError('fs', 'must be a filesystem returned by dagfs()')
  }

  if (!['manual', 'each'].includes(commit)) {
    throw new InvalidOptionError('commit', "must be 'manual' or 'each'")
  }

  const base = absolutePath(options.base ?? '/')
  // a directory must not go, empty, between its making and the first file in it
  const exclusively = pLimit(1)
  const watching = new Set<AbortController>()

  async function change (edit: () => Promise<void>): Promise<void> {
    await exclusively(async () => {
      await edit()

      if (commit === 'each') {
        await publish(fs)
      }
    })
  }

  // unstorage calls the methods by themselves, so none of them may need a `this`
  return {
    name: 'dagfs',
    options,
    flags: { maxDepth: true },
    getInstance: () => fs,

    async hasItem (key) {
      const stats = await unlessAbsent(fs.stat(keyPath(base, key, 'hasItem')))

      return stats?.isFile() ?? false
    },

    async getItem (key) {
      return await unlessAbsent(fs.readFile(keyPath(base, key, 'getItem'), 'utf8')) ?? null
    },

    async getItemRaw (key) {
      return await unlessAbsent(fs.readFile(keyPath(base, key, 'getItemRaw'))) ?? null
    },

    async setItem (key, value) {
      await change(async () => writeItem(fs, keyPath(base, key, 'setItem'), value))
    },

    async setItems (items) {
      const files = items.map(({ key, value }) => ({ path: keyPath(base, key, 'setItems'), value }))

      await change(async () => {
        for (const { path, value } of files) {
          await writeItem(fs, path, value)
        }
      })
    },

    async setItemRaw (key, value) {
      await change(async () => writeItem(fs, keyPath(base, key, 'setItemRaw'), contentOf(value)))
    },

    async removeItem (key) {
      await change(async () => removeItem(fs, keyPath(base, key, 'removeItem')))
    },

    async getMeta (key) {
      const stats = await unlessAbsent(fs.stat(keyPath(base, key, 'getMeta')))

      return stats?.isFile() === true ? metaOf(stats) : null
    },

    async getKeys (prefix, { maxDepth } = {}) {
      return itemKeys(fs, base, basePath(base, prefix, 'getKeys'), maxDepth)
    },

    async clear (prefix) {
      await change(async () => clearItems(fs, basePath(base, prefix, 'clear')))
    },

    async watch (callback) {
      const controller = new AbortController()
      watching.add(controller)
      await watchItems(fs, base, callback, controller.signal)

      return async () => {
        controller.abort()
        watching.delete(controller)
      }
    },

    async dispose () {
      watching.forEach(controller => {
        controller.abort()
      })
      watching.clear()
      // what was asked for before is done
      await exclusively(() => {})
    }
  }
}

/** Commits. What others published meanwhile is merged; of an item that both set, the one that is set last stands. */
async function publish (fs: DriverFs): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await fs.commit()
      return
    } catch (err) {
      if (!(err instanceof RootConflictError) || attempt === maxAttempts) {
        throw err
      }

      await fs.merge(err.theirs, { strategy: 'ours' })
    }
  }
}

function contentOf (value: RawValue): FileContent {
  if (value instanceof ArrayBuffer) {
    return new Uint8Array(value)
  }

  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value
}

function metaOf (stats: Stats): ItemMeta {
  return {
    size: stats.size,
    ...(stats.attributes?.mtime === undefined ? {} : { mtime: stats.mtime }),
    ...(stats.cid === undefined ? {} : { cid: String(stats.cid) })
  }
}
