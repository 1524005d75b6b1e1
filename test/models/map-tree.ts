import { fault } from './fault.ts'
import type { Code } from './fault.ts'

export type Node =
  { readonly kind: 'file', readonly content: string } |
  { readonly kind: 'directory' } |
  { readonly kind: 'link', readonly target: string }

export interface Found {
  /** The path of the map, without links on the way */
  readonly at: string
  readonly node: Node | undefined
}

// as many as Linux follows
const mostLinks = 40

/**
 * A map of paths, which begin without a slash, to what is there. The root is the empty path.
 */
export class MapTree {
  readonly nodes = new Map<string, Node>([['', { kind: 'directory' }]])

  /** What is at a path, or where it would be. */
  look (path: string, syscall: string, follow: boolean, dest?: string, named = path): Found {
    const fail = (code: Code): Error => fault(code, syscall, named, dest)
    const rest = path.split('/')
    let at = ''
    let links = 0

    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      const parent = this.nodes.get(at)

      if (parent?.kind !== 'directory') {
        throw fail(parent === undefined ? 'ENOENT' : 'ENOTDIR')
      }

      const child = name === '.' ? at : join(at, name)
      const node = this.nodes.get(child)

      if (node?.kind === 'link' && (rest.length > 0 || follow)) {
        if (++links > mostLinks) {
          throw fail('ELOOP')
        }
        rest.unshift(...node.target.split('/'))
      } else {
        at = child
      }
    }

    return { at, node: this.nodes.get(at) }
  }

  node (at: string): Node {
    const node = this.nodes.get(at)

    if (node === undefined) {
      throw new Error(`the model has nothing at ${at}`)
    }

    return node
  }

  existing (path: string, syscall: string, follow: boolean): { readonly at: string, readonly node: Node } {
    const { at, node } = this.look(path, syscall, follow)

    if (node === undefined) {
      throw fault('ENOENT', syscall, path)
    }

    return { at, node }
  }

  /** As `look`, and undefined where what is on the way to it is missing */
  find (path: string, syscall: string, follow: boolean): Found | undefined {
    try {
      return this.look(path, syscall, follow)
    } catch (err) {
      if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
        return
      }

      throw err
    }
  }

  /** The names of all that is below a directory, relative to it */
  below (at: string): string[] {
    const prefix = at === '' ? '' : `${at}/`

    return [...this.nodes.keys()].filter(path => path !== '' && path.startsWith(prefix)).map(path => path.slice(prefix.length))
  }
}

export function join (at: string, name: string): string {
  return at === '' ? name : `${at}/${name}`
}
