import type { Entry } from '../../codec/index.ts'

/** What kind of entry something tells of, and Node's questions after it. */
export abstract class OfKind {
  readonly kind: Entry['kind']

  constructor (kind: Entry['kind']) {
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
