import type { Entry } from '../codec/index.ts'

/**
 * One entry of a directory, as Node's `Dirent`, and its `kind`.
 */
export class Dirent<Name extends string | Uint8Array = string> {
  readonly name: Name
  /** The path of its directory, as it was given */
  readonly parentPath: string
  readonly kind: Entry['kind']

  constructor (name: Name, parentPath: string, kind: Entry['kind']) {
    this.name = name
    this.parentPath = parentPath
    this.kind = kind
  }

  isFile (): boolean {
    return this.kind === 'file'
  }

  isDirectory (): boolean {
    return this.kind === 'directory'
  }

  isSymbolicLink (): boolean {
    return this.kind === 'symlink'
  }

  isBlockDevice (): boolean {
    return false
  }

  isCharacterDevice (): boolean {
    return false
  }

  isFIFO (): boolean {
    return false
  }

  isSocket (): boolean {
    return false
  }
}
