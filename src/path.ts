import { FileSystemError } from './errors.ts'

export const maxNameBytes = 255
/** How deep a tree may be. */
export const maxPathSegments = 1024
const encoder = new TextEncoder()

/**
 * Why a string cannot be the name of an entry, or undefined where it can.
 */
export function nameFault (name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') {
    return 'an entry cannot have this name'
  }

  if (name.includes('/') || name.includes('\0')) {
    return 'a name cannot contain a slash or NUL'
  }

  if (!name.isWellFormed()) {
    return 'a name must be well-formed Unicode'
  }

  if (isNameTooLong(name)) {
    return `a name cannot be longer than ${maxNameBytes} bytes of UTF-8`
  }
}

/**
 * Whether a name is longer in UTF-8 than an entry's name may be.
 */
export function isNameTooLong (name: string): boolean {
  return name.length > maxNameBytes || (name.length > maxNameBytes / 3 && encoder.encode(name).byteLength > maxNameBytes)
}

/**
 * Orders two names by their UTF-8 bytes, which is the order of code points. JavaScript's own `<` compares UTF-16 units
 * and puts U+1F600 before U+FF5E.
 */
export function compareNames (a: string, b: string): number {
  const length = Math.min(a.length, b.length)

  for (let i = 0; i < length; i++) {
    const unitA = a.charCodeAt(i)
    const unitB = b.charCodeAt(i)

    if (unitA !== unitB) {
      return codePointRank(unitA) - codePointRank(unitB)
    }
  }

  return a.length - b.length
}

// surrogates stand for code points above every other unit's
function codePointRank (unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/**
 * The segments of a path. A relative path is taken from `/`. `.` and `..` are kept, and a slash at the end becomes a `.`:
 * what they mean, and whether what is before them is a directory, is known only when the path is followed. So is whether a
 * name that is too long is looked for at all.
 *
 * @throws {FileSystemError} ENOENT for the empty path, EINVAL for a NUL or ill-formed Unicode, ENAMETOOLONG for too many segments
 */
export function splitPath (path: string, syscall: string): string[] {
  if (path === '') {
    throw new FileSystemError('ENOENT', syscall, path)
  }

  if (path.includes('\0') || !path.isWellFormed()) {
    throw new FileSystemError('EINVAL', syscall, path, 'a path must be well-formed Unicode without NUL')
  }

  const segments: string[] = []

  for (const segment of path.split('/')) {
    if (segment !== '') {
      segments.push(segment)
    }
  }

  if (segments.length > maxPathSegments) {
    throw new FileSystemError('ENAMETOOLONG', syscall, path)
  }

  if (path.endsWith('/')) {
    segments.push('.')
  }

  return segments
}

/**
 * The names on the way to an entry that is to be added, where `..` has no place.
 *
 * @throws {FileSystemError} as `splitPath`, ENAMETOOLONG for a name, and EINVAL for a segment that cannot be one
 */
export function splitEntryPath (path: string, syscall: string): string[] {
  const names = splitPath(path, syscall).filter(segment => segment !== '.')

  for (const name of names) {
    if (isNameTooLong(name)) {
      throw new FileSystemError('ENAMETOOLONG', syscall, path)
    }

    const fault = nameFault(name)

    if (fault !== undefined) {
      throw new FileSystemError('EINVAL', syscall, path, fault)
    }
  }

  return names
}

/**
 * The absolute path of a name in a directory.
 */
export function joinPath (directory: string, name: string): string {
  return directory === '/' ? `/${name}` : `${directory}/${name}`
}

/**
 * A path from the root, without what does not change where it leads.
 */
export function absolutePath (path: string): string {
  return `/${path.split('/').filter(segment => segment !== '' && segment !== '.').join('/')}`
}

/**
 * A path without the slashes at its end.
 */
export function withoutLastSlash (path: string): string {
  return path.replace(/(?<=[^/])\/+$/, '')
}

/**
 * Whether a path leads to a directory or below it, as both are written.
 */
export function isWithin (path: string, directory: string): boolean {
  return directory === '/' || `${path}/`.startsWith(`${directory}/`)
}

/**
 * The last segment of a path, as it is written; empty for the root.
 */
export function lastSegment (path: string): string {
  const whole = withoutLastSlash(path)

  return whole.slice(whole.lastIndexOf('/') + 1)
}

/**
 * The path of what a path is in, as it is written; `.` for a single name.
 */
export function parentPath (path: string): string {
  const whole = withoutLastSlash(path)
  const slash = whole.lastIndexOf('/')

  return slash === -1 ? '.' : withoutLastSlash(whole.slice(0, slash + 1))
}

/**
 * A path without what can be told to be needless by looking at it alone, as `normalize` of `node:path` does it, and without
 * a slash at the end.
 */
export function normalPath (path: string): string {
  const isAbsolute = path.startsWith('/')
  const segments: string[] = []

  for (const segment of path.split('/')) {
    if (segment !== '..') {
      segments.push(...(segment === '' || segment === '.' ? [] : [segment]))
    } else if (segments.length > 0 && segments.at(-1) !== '..') {
      segments.pop()
    } else if (!isAbsolute) {
      segments.push(segment)
    }
  }

  return `${isAbsolute ? '/' : ''}${segments.join('/')}`
}
