import { Budget, streamedLimits } from '../../budget.ts'
import { diffTrees, diffTreesWithRenames, differingAttributes } from '../../compare/index.ts'
import { checkOptions } from '../../options.ts'
import { treeNode } from '../../tree/index.ts'
import { entryInfo } from '../entry-info.ts'
import type { EntryInfo } from '../entry-types.ts'
import type { Version } from './snapshot.ts'
import type { DiffOptions, TreeDifference } from './types.ts'
import type { BlockReader } from '../../blockstore/index.ts'
import type { Entry } from '../../codec/index.ts'
import type { TreeChange, TreeRename } from '../../compare/index.ts'

export function checkDiffOptions (options: DiffOptions): void {
  checkOptions(options, ['detectRenames', 'collapse', 'limits', 'signal'])
}

/**
 * What differs between two trees, the attributes of their roots included, names in order, each directory before what is
 * in it.
 */
export async function * diffVersions (blocks: BlockReader, before: Version, after: Version, options: DiffOptions): AsyncGenerator<TreeDifference> {
  const fields = differingAttributes(before.root.attributes, after.root.attributes)

  if (fields.length > 0) {
    yield { kind: 'changed', path: '/', before: entryInfo(before.root, '/'), after: entryInfo(after.root, '/'), fields }
  }

  const { detectRenames, collapse, limits, signal } = options
  const budget = Budget.of(limits, streamedLimits, '/')
  const diff = detectRenames === true ? diffTreesWithRenames : diffTrees

  for await (const change of diff(blocks, before.root.cid, after.root.cid, { signal, budget, ...(collapse === true ? { isEntered: () => false } : {}) })) {
    yield difference(blocks, change)
  }
}

function difference (blocks: BlockReader, change: TreeChange | TreeRename): TreeDifference {
  const { path } = change
  const info = (entry: Entry, at = path): EntryInfo => infoOf(blocks, entry, at)

  switch (change.kind) {
    case 'added':
      return { kind: change.kind, path, after: info(change.after) }
    case 'removed':
      return { kind: change.kind, path, before: info(change.before) }
    case 'changed':
      return { kind: change.kind, path, before: info(change.before), after: info(change.after), fields: change.fields }
    default:
      return { kind: change.kind, path, from: change.from, before: info(change.before, change.from), after: info(change.after), fields: change.fields }
  }
}

export function infoOf (blocks: BlockReader, entry: Entry, path: string): EntryInfo {
  return entryInfo(treeNode(blocks, entry), path)
}
