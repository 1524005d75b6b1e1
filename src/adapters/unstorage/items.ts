import { FileSystemError } from '../../errors.ts'
import { joinPath } from '../../path.ts'
import { hasKey, pathKey } from './keys.ts'
import type { DriverFs } from './types.ts'
import type { FileSystemErrorCode } from '../../errors.ts'
import type { FileContent } from '../../fs/index.ts'

/** Writes a file, and makes the directories that it needs. */
export async function writeItem (fs: DriverFs, path: string, value: FileContent): Promise<void> {
  await fs.mkdir(parentOf(path), { recursive: true })

  try {
    await fs.writeFile(path, value)
  } catch (err) {
    await removeEmpty(fs, path)
    throw err
  }
}

/** Removes a file, where there is one, and the directories that nothing is left in. */
export async function removeItem (fs: DriverFs, path: string): Promise<void> {
  await unlessAbsent(fs.unlink(path))
  await removeEmpty(fs, path)
}

/** Removes all that is in a directory, and those around it that nothing is left in. */
export async function clearItems (fs: DriverFs, directory: string): Promise<void> {
  await unlessAbsent(removeContent(fs, directory))
  // the directory itself as well, and not where nothing of it was there
  await removeEmpty(fs, joinPath(directory, 'item'))
}

/** The keys of all files below a directory of the base, in the order of their paths. */
export async function itemKeys (fs: DriverFs, base: string, directory: string, maxDepth = Number.POSITIVE_INFINITY): Promise<string[]> {
  const keys: string[] = []
  const prefix = directory === base ? '' : `${pathKey(base, directory)}:`

  const visit = async (path: string, before: string, depth: number): Promise<void> => {
    for await (const { name, kind } of fs.ls(path)) {
      if (!hasKey(name)) {
        continue
      }

      if (kind !== 'directory') {
        keys.push(before + name)
      } else if (depth > 0) {
        await visit(joinPath(path, name), `${before}${name}:`, depth - 1)
      }
    }
  }

  // depth is counted from the base, wherever the listing begins
  const depth = maxDepth - (prefix.split(':').length - 1)

  if (depth >= 0) {
    await unlessAbsent(visit(directory, prefix, depth))
  }

  return keys
}

/**
 * What an operation returns, and undefined where its path leads to no item: nothing is there, or a directory, or a file is
 * in the way. Any other failure is none of that.
 */
export async function unlessAbsent <T> (result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (err) {
    if (!isOneOf(err, ['ENOENT', 'ENOTDIR', 'EISDIR'])) {
      throw err
    }
  }
}

async function removeContent (fs: DriverFs, directory: string): Promise<void> {
  const names: string[] = []

  for await (const { name } of fs.ls(directory)) {
    names.push(name)
  }

  for (const name of names) {
    await fs.rm(joinPath(directory, name), { recursive: true })
  }
}

/** The base and those above it as well: they were made for an item, and equal items are to give equal roots. */
async function removeEmpty (fs: DriverFs, path: string): Promise<void> {
  try {
    for (let directory = parentOf(path); directory !== '/'; directory = parentOf(directory)) {
      await fs.rmdir(directory)
    }
  } catch (err) {
    // up to the first that has something in it
    if (!isOneOf(err, ['ENOTEMPTY', 'ENOENT', 'ENOTDIR'])) {
      throw err
    }
  }
}

function parentOf (path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

function isOneOf (err: unknown, codes: readonly FileSystemErrorCode[]): boolean {
  return err instanceof FileSystemError && codes.includes(err.code)
}
