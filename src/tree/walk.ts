import { LimitExceededError } from '../errors.ts'
import { joinPath, maxPathSegments } from '../path.ts'
import type { ReadOptions } from '../budget.ts'
import type { TreeDirectory, TreeNode } from './node.ts'

/** A node and where it was found. */
export interface WalkedNode {
  readonly path: string
  readonly node: TreeNode
}

/**
 * Walks everything below a directory, each directory before what is in it, names in order. Symbolic links are not
 * followed.
 *
 * @throws {LimitExceededError} below 1,024 segments: a hostile tree can be nested without end; and where the budget ends
 */
export async function * walk (directory: TreeDirectory, path: string, options: ReadOptions = {}): AsyncGenerator<WalkedNode> {
  const open = [{ path, nodes: directory.view.list({}, options) }]

  try {
    while (open.length > 0) {
      const here = open[open.length - 1]
      const { done, value: node } = await here.nodes.next()

      if (done === true) {
        open.pop()
        continue
      }

      options.budget?.spend('entries', 1)
      const nodePath = joinPath(here.path, node.name)

      if (open.length > maxPathSegments) {
        throw new LimitExceededError(`the tree is more than ${maxPathSegments} directories deep`, { path: nodePath })
      }

      yield { path: nodePath, node }

      if (node.kind === 'directory') {
        open.push({ path: nodePath, nodes: node.view.list({}, options) })
      }
    }
  } finally {
    await Promise.all(open.map(async ({ nodes }) => nodes.return(undefined)))
  }
}
