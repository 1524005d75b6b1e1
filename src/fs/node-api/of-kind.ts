import type { Entry } from '../../codec/index.ts'

/** What kind of entry something tells of, and Node's questions after it. */
export abstract class OfKind {
  readonly kind: Entry['kind']

  constructor (kind: Entry['kind']) {
    this.kind = kind
  }

  /**
   * Whether it is a file.
   *
   * @example
   *
   * ```ts
   * await fs.addAll([{ path: '/notes/today.md', content: 'hello' }, { path: '/todo.md', content: 'sleep' }])
   * const entries = await fs.readdir('/', { withFileTypes: true })
   * console.log(entries.filter(entry => entry.isFile()).map(({ name }) => name)) // [ 'todo.md' ]
   * ```
   */
  isFile (): boolean {
    return this.kind === 'file'
  }

  /**
   * Whether it is a directory.
   *
   * @example
   *
   * ```ts
   * await fs.mkdir('/notes')
   * console.log((await fs.stat('/notes')).isDirectory()) // true
   * ```
   */
  isDirectory (): boolean {
    return this.kind === 'directory'
  }

  /**
   * Whether it is a symbolic link.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('/nowhere', '/latest')
   * const [latest] = await fs.readdir('/', { withFileTypes: true })
   * console.log(latest.name, latest.isSymbolicLink()) // latest true
   * ```
   */
  isSymbolicLink (): boolean {
    return this.kind === 'symlink'
  }

  /**
   * Always false: a tree has no devices.
   *
   * @example
   *
   * ```ts
   * console.log((await fs.stat('/')).isBlockDevice()) // false
   * ```
   */
  isBlockDevice (): boolean {
    return false
  }

  /**
   * Always false: a tree has no devices.
   *
   * @example
   *
   * ```ts
   * await fs.symlink('/dev/null', '/null') // a link, wherever it leads
   * console.log((await fs.lstat('/null')).isCharacterDevice()) // false
   * ```
   */
  isCharacterDevice (): boolean {
    return false
  }

  /**
   * Always false: a tree has no pipes.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/queue', '')
   * console.log((await fs.stat('/queue')).isFIFO()) // false
   * ```
   */
  isFIFO (): boolean {
    return false
  }

  /**
   * Always false: a tree has no sockets.
   *
   * @example
   *
   * ```ts
   * await fs.writeFile('/app.sock', '')
   * const [entry] = await fs.readdir('/', { withFileTypes: true })
   * console.log(entry.isSocket(), entry.isFile()) // false true
   * ```
   */
  isSocket (): boolean {
    return false
  }
}
