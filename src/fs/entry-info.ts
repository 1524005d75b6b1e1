import type { EntryInfo } from './entry-types.ts'
import type { TreeNode } from '../tree/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * What a caller is told of a node.
 */
export function entryInfo (node: TreeNode, path: string): EntryInfo {
  const { kind, size, attributes } = node

  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    kind,
    size,
    ...attributes,
    ...place(node)
  }
}

function place (node: TreeNode): { cid?: CID, target?: string } {
  switch (node.kind) {
    case 'directory':
      return node.cid === undefined ? {} : { cid: node.cid }
    case 'symlink':
      return { target: node.content }
    default:
      return node.content instanceof Uint8Array ? {} : { cid: node.content }
  }
}
