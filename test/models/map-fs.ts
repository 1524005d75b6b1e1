import { fault, removalOfDirectory } from './fault.ts'
import { MapTree, join } from './map-tree.ts'
import type { Code } from './fault.ts'
import type { Entry, Facts, PathFs } from './fs-promises.ts'
import type { Found, Node } from './map-tree.ts'

/**
 * The plain model of a filesystem, over a map of paths.
 */
export class MapFs implements PathFs {
  readonly #tree = new MapTree()

  async mkdir (path: string, { recursive }: { recursive: boolean }): Promise<string | undefined> {
    return recursive ? this.#mkdirs(path) : this.#mkdir(path)
  }

  async writeFile (path: string, data: string, { flag }: { flag: string }): Promise<void> {
    const { at, node } = this.#tree.look(path, 'open', flag !== 'wx')

    if (flag === 'wx' && node !== undefined) {
      throw fault('EEXIST', 'open', path)
    }

    if (flag === 'r+' && node === undefined) {
      throw fault('ENOENT', 'open', path)
    }

    const old = this.#content(node, path)
    this.#tree.nodes.set(at, { kind: 'file', content: written(old, data, flag) })
  }

  async appendFile (path: string, data: string): Promise<void> {
    await this.writeFile(path, data, { flag: 'a' })
  }

  async readFile (path: string): Promise<string> {
    const { node } = this.#tree.existing(path, 'open', true)

    if (node.kind !== 'file') {
      throw fault('EISDIR', 'read')
    }

    return node.content
  }

  async truncate (path: string, length: number): Promise<void> {
    const { at, node } = this.#tree.existing(path, 'open', true)
    this.#tree.nodes.set(at, { kind: 'file', content: this.#content(node, path).slice(0, length).padEnd(length, '\0') })
  }

  async rename (from: string, to: string): Promise<void> {
    const [source, goal] = this.#both(from, to, 'rename')

    if (source.at === goal.at && source.node !== undefined) {
      return
    }

    const code = this.#renameFault(source, goal)

    if (code !== undefined) {
      throw fault(code, 'rename', from, to)
    }

    for (const [path, node] of [...this.#tree.nodes]) {
      if (path === source.at || path.startsWith(`${source.at}/`)) {
        this.#tree.nodes.delete(path)
        this.#tree.nodes.set(goal.at + path.slice(source.at.length), node)
      }
    }
  }

  async rm (path: string, { recursive, force }: { recursive: boolean, force: boolean }): Promise<void> {
    if (force && this.#tree.find(path, 'lstat', false)?.node === undefined) {
      return
    }

    const { at, node } = this.#tree.existing(path, 'lstat', false)

    if (node.kind === 'directory' && !recursive) {
      throw removalOfDirectory(path)
    }

    this.#tree.below(at).forEach(name => this.#tree.nodes.delete(`${at}/${name}`))
    this.#tree.nodes.delete(at)
  }

  async rmdir (path: string): Promise<void> {
    const { at, node } = this.#tree.existing(path, 'rmdir', false)

    if (node.kind !== 'directory') {
      throw fault('ENOTDIR', 'rmdir', path)
    }

    if (this.#tree.below(at).length > 0) {
      throw fault('ENOTEMPTY', 'rmdir', path)
    }

    this.#tree.nodes.delete(at)
  }

  async unlink (path: string): Promise<void> {
    const { at, node } = this.#tree.existing(path, 'unlink', false)

    if (node.kind === 'directory') {
      throw fault('EISDIR', 'unlink', path)
    }

    this.#tree.nodes.delete(at)
  }

  async copyFile (from: string, to: string, mode: number): Promise<void> {
    const fail = (code: Code): Error => fault(code, 'copyfile', from, to)
    const source = this.#tree.look(from, 'copyfile', true, to)

    if (source.node === undefined) {
      throw fail('ENOENT')
    }

    const goal = this.#tree.look(to, 'copyfile', mode === 0, to, from)

    if (mode === 1 && goal.node !== undefined) {
      throw fail('EEXIST')
    }

    if (goal.node?.kind === 'directory' || source.node.kind === 'directory') {
      throw fail('EISDIR')
    }

    this.#tree.nodes.set(goal.at, source.node)
  }

  async symlink (target: string, path: string): Promise<void> {
    const { at, node } = this.#tree.look(path, 'symlink', false, path, target)

    if (node !== undefined) {
      throw fault('EEXIST', 'symlink', target, path)
    }

    this.#tree.nodes.set(at, { kind: 'link', target })
  }

  async readlink (path: string): Promise<string> {
    const { node } = this.#tree.existing(path, 'readlink', false)

    if (node.kind !== 'link') {
      throw fault('EINVAL', 'readlink', path)
    }

    return node.target
  }

  async realpath (path: string): Promise<string> {
    return `/${this.#tree.existing(path, 'realpath', true).at}`
  }

  async stat (path: string): Promise<Facts> {
    return facts(this.#tree.existing(path, 'stat', true).node)
  }

  async lstat (path: string): Promise<Facts> {
    return facts(this.#tree.existing(path, 'lstat', false).node)
  }

  async readdir (path: string): Promise<string[]>
  async readdir (path: string, options: { recursive: boolean, withFileTypes: true }): Promise<Entry[]>
  async readdir (path: string, options?: { recursive: boolean }): Promise<string[] | Entry[]> {
    const { at, node } = this.#tree.existing(path, 'scandir', true)

    if (node.kind !== 'directory') {
      throw fault('ENOTDIR', 'scandir', path)
    }

    const below = this.#tree.below(at)
    const here = below.filter(name => !name.includes('/'))

    return options === undefined ? here : (options.recursive ? below : here).map(name => this.#entry(at, path, name))
  }

  #entry (at: string, path: string, below: string): Entry {
    const names = below.split('/')
    const name = names.pop() ?? ''
    const parentPath = [path, ...names].join('/')

    return { name, parentPath: parentPath.replace(/^\.\//, ''), ...facts(this.#tree.node(join(at, below))) }
  }

  #mkdir (path: string): undefined {
    const { at, node } = this.#tree.look(path, 'mkdir', false)

    if (node !== undefined) {
      throw fault('EEXIST', 'mkdir', path)
    }

    this.#tree.nodes.set(at, { kind: 'directory' })
  }

  /** Upwards until a parent is there, then downwards, as Node.js does: its errors name the path of the step that failed */
  #mkdirs (path: string): string | undefined {
    const missing = [path]
    let first: string | undefined

    for (let next = missing.pop(); next !== undefined; next = missing.pop()) {
      const found = this.#tree.find(next, 'mkdir', false)

      if (found === undefined) {
        missing.push(next, next.slice(0, next.lastIndexOf('/')))
      } else if (found.node === undefined) {
        this.#tree.nodes.set(found.at, { kind: 'directory' })
        first ??= `/${next}`
      } else {
        this.#checkStep(next, missing.length === 0)
      }
    }

    return first
  }

  #checkStep (path: string, isLast: boolean): void {
    const target = this.#tree.find(path, 'mkdir', true)?.node

    if (target?.kind !== 'directory') {
      const code = target === undefined ? 'ENOENT' : 'EEXIST'
      throw fault(isLast ? code : 'ENOTDIR', 'mkdir', path)
    }
  }

  #renameFault (source: Found, goal: Found): Code | undefined {
    const isDirectory = source.node?.kind === 'directory'

    if (source.node === undefined) {
      return 'ENOENT'
    }

    if (goal.at.startsWith(`${source.at}/`)) {
      return 'EINVAL'
    }

    if (source.at.startsWith(`${goal.at}/`)) {
      return 'ENOTEMPTY'
    }

    if (goal.node === undefined) {
      return
    }

    if (isDirectory !== (goal.node.kind === 'directory')) {
      return isDirectory ? 'ENOTDIR' : 'EISDIR'
    }

    return isDirectory && this.#tree.below(goal.at).length > 0 ? 'ENOTEMPTY' : undefined
  }

  /** Both paths of a call, their directories found before what is in them */
  #both (from: string, to: string, syscall: string): [Found, Found] {
    return [this.#tree.look(from, syscall, false, to), this.#tree.look(to, syscall, false, to, from)]
  }

  #content (node: Node | undefined, path: string): string {
    if (node?.kind === 'directory') {
      throw fault('EISDIR', 'open', path)
    }

    return node?.kind === 'file' ? node.content : ''
  }
}

function written (old: string, data: string, flag: string): string {
  if (flag === 'a') {
    return old + data
  }

  return flag === 'r+' ? data + old.slice(data.length) : data
}

function facts (node: Node): Facts {
  return {
    isDirectory: () => node.kind === 'directory',
    isSymbolicLink: () => node.kind === 'link',
    size: sizeOf(node)
  }
}

function sizeOf (node: Node): number {
  if (node.kind === 'link') {
    return new TextEncoder().encode(node.target).byteLength
  }

  return node.kind === 'file' ? node.content.length : 0
}
