import { isDirectory } from './trees.ts'
import type { PlainDirectory, PlainFile, PlainNode } from './trees.ts'
import type { Attributes } from '../../src/codec/index.ts'

/** What the model found in conflict: which path, and what kind it is. */
export type ModelConflict = readonly [path: string, kind: string]

type Some = PlainNode | undefined
type Side = 'ours' | 'theirs'

/**
 * The merge of two trees, told by looking at every path of all three. Of what is in conflict it takes our side.
 */
export class ModelMerge {
  readonly conflicts: ModelConflict[] = []
  readonly tree: PlainDirectory

  constructor (base: PlainDirectory, ours: PlainDirectory, theirs: PlainDirectory) {
    this.tree = { entries: this.#entries('', base, ours, theirs) }
  }

  #entries (path: string, base: PlainDirectory | undefined, ours: PlainDirectory, theirs: PlainDirectory): Map<string, PlainNode> {
    const names = new Set([base, ours, theirs].flatMap(tree => [...tree?.entries.keys() ?? []]))

    return present([...names].map(name => [name, this.#node(`${path}/${name}`, base?.entries.get(name), ours.entries.get(name), theirs.entries.get(name))]))
  }

  #node (path: string, base: Some, ours: Some, theirs: Some): Some {
    if (isEqual(ours, theirs) || isEqual(base, theirs)) {
      return ours
    }

    if (isEqual(base, ours)) {
      return theirs
    }

    if (ours === undefined || theirs === undefined) {
      return this.#removed(path, base, ours ?? theirs, ours === undefined ? 'theirs' : 'ours')
    }

    if (isDirectory(ours) && isDirectory(theirs)) {
      const before = isDirectory(base) ? base : undefined
      const { attributes, isInConflict } = mergeAttributes(before, ours, theirs, false)

      if (isInConflict) {
        this.conflicts.push([path, before === undefined ? 'both-added' : 'both-changed'])
      }

      return { entries: this.#entries(path, before, ours, theirs), ...attributes }
    }

    if (isDirectory(ours) || isDirectory(theirs)) {
      this.conflicts.push([path, 'directory-file'])
      return ours
    }

    return this.#file(path, base, ours, theirs)
  }

  #file (path: string, base: Some, ours: PlainFile, theirs: PlainFile): PlainFile {
    const kind = base === undefined ? 'both-added' : 'both-changed'

    if (isLink(ours) !== isLink(theirs)) {
      this.conflicts.push([path, kind])
      return ours
    }

    const before = base !== undefined && !isDirectory(base) && isLink(base) === isLink(ours) ? base : undefined
    const isTextInConflict = ours.text !== theirs.text && before?.text !== ours.text && before?.text !== theirs.text
    const { attributes, isInConflict } = mergeAttributes(before, ours, theirs, isTextInConflict)

    if (isTextInConflict || isInConflict) {
      this.conflicts.push([path, kind])
    }

    return { text: before?.text === ours.text ? theirs.text : ours.text, ...attributes }
  }

  #removed (path: string, base: Some, changed: Some, side: Side): Some {
    if (!isDirectory(base) || !isDirectory(changed)) {
      this.conflicts.push([path, 'changed-removed'])
      return side === 'ours' ? changed : undefined
    }

    const entries = present([...changed.entries].map(([name, node]) => {
      const before = base.entries.get(name)

      if (isEqual(before, node)) {
        return [name, undefined]
      }

      return [name, before === undefined ? node : this.#removed(`${path}/${name}`, before, node, side)]
    }))
    const isChanged = !isEqual({ text: '', attributes: { ...base.attributes, mtime: undefined } }, { text: '', attributes: { ...changed.attributes, mtime: undefined } })

    if (isChanged) {
      this.conflicts.push([path, 'changed-removed'])
    }

    return entries.size > 0 || (isChanged && side === 'ours') ? { ...changed, entries } : undefined
  }
}

function present (entries: ReadonlyArray<[string, Some]>): Map<string, PlainNode> {
  return new Map(entries.filter((entry): entry is [string, PlainNode] => entry[1] !== undefined))
}

function isLink ({ text }: PlainFile): boolean {
  return text.startsWith('->')
}

function isEqual (a: Some, b: Some): boolean {
  return keyOf(a) === keyOf(b)
}

function keyOf (node: Some): string {
  if (node === undefined) {
    return 'none'
  }

  const { mode, mtime, meta } = node.attributes ?? {}

  return JSON.stringify([isDirectory(node) ? [...node.entries].map(([name, child]) => [name, keyOf(child)]).sort() : node.text, mode, mtime, meta])
}

/** Attributes merged, our side where it cannot be done. */
function mergeAttributes (base: Some, ours: PlainNode, theirs: PlainNode, isTextInConflict: boolean): { attributes: { attributes?: Attributes }, isInConflict: boolean } {
  const merged: Record<string, unknown> = {}
  let isInConflict = false

  for (const field of ['mode', 'mtime', 'meta'] as const) {
    const [before, our, their] = [base, ours, theirs].map(node => JSON.stringify(node?.attributes?.[field]))
    merged[field] = before === our ? theirs.attributes?.[field] : ours.attributes?.[field]

    if (our === their || before === our || before === their) {
      continue
    }

    if (field === 'mtime') {
      const times = [ours.attributes?.mtime, theirs.attributes?.mtime].filter(time => time !== undefined)
      merged.mtime = isTextInConflict ? ours.attributes?.mtime : times.sort(([a, b], [c, d]) => c - a || d - b)[0]
    } else {
      isInConflict = true
    }
  }

  const attributes = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined))

  return { attributes: Object.keys(attributes).length === 0 ? {} : { attributes }, isInConflict }
}
