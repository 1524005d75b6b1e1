import { OfKind } from './of-kind.ts'
import type { Entry } from '../../codec/index.ts'

/**
 * One entry of a directory, as Node's `Dirent`, and its `kind`.
 *
 * @example
 *
 * ```ts
 * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }])
 *
 * for (const { name, parentPath, kind } of await fs.readdir('/notes', { withFileTypes: true })) {
 *   console.log(`${parentPath}/${name}`, kind) // /notes/today.md file
 * }
 * ```
 */
export class Dirent<Name extends string | Uint8Array = string> extends OfKind {
  readonly name: Name
  /** The path of its directory, as it was given */
  readonly parentPath: string

  constructor (name: Name, parentPath: string, kind: Entry['kind']) {
    super(kind)
    this.name = name
    this.parentPath = parentPath
  }
}
