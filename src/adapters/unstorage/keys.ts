import { FileSystemError } from '../../errors.ts'
import { joinPath, nameFault } from '../../path.ts'

// unstorage takes a slash and a backslash for a colon, and cuts a key at a question mark
const outsideOfKeys = /[:?\\]/

/**
 * Where the item of a key is: `a:b:c` is the file `a/b/c` below the base.
 *
 * @throws {FileSystemError} EINVAL for a key with a segment that is no safe name, such as `..`
 */
export function keyPath (base: string, key: string, syscall: string): string {
  const names = key.split(':')
  const fault = names.map(nameFault).find(found => found !== undefined)

  if (fault !== undefined) {
    throw new FileSystemError('EINVAL', syscall, key, fault)
  }

  return joinPath(base, names.join('/'))
}

/** The same for what keys begin with, which may be nothing, and may end in a colon. */
export function basePath (base: string, prefix: string | undefined, syscall: string): string {
  const key = prefix?.replace(/:$/, '') ?? ''

  return key === '' ? base : keyPath(base, key, syscall)
}

/** The key of a path below the base. */
export function pathKey (base: string, path: string): string {
  return path.slice(base === '/' ? 1 : base.length + 1).replaceAll('/', ':')
}

/** Whether a name can be in a key: a file of any other name is no item. */
export function hasKey (name: string): boolean {
  return !outsideOfKeys.test(name)
}
