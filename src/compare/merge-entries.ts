import { differingAttributes, haveSameContent } from './content.ts'
import type { EntryField } from './content.ts'
import type { Attributes, Entry } from '../codec/index.ts'

export type MergeSide = 'ours' | 'theirs'

/** Two versions of one thing merged, with what both changed in different ways taken from either side. */
export interface Merged <T> {
  readonly ours: T
  readonly theirs: T
  /** What both changed in different ways; where there is none, `ours` and `theirs` are the same */
  readonly fields: readonly EntryField[]
}

/**
 * Merges two entries of one kind, neither of them a directory, field by field. The base is undefined where there was
 * none of that kind.
 */
export async function mergeEntries (base: Entry | undefined, ours: Entry, theirs: Entry): Promise<Merged<Entry>> {
  const isContentOurs = await haveSameContent(ours, theirs) || (base !== undefined && await haveSameContent(base, theirs))
  const isContentTheirs = base !== undefined && await haveSameContent(base, ours)
  const hasConflict = !isContentOurs && !isContentTheirs
  const attributes = mergeAttributes(base?.attributes, ours.attributes, theirs.attributes, hasConflict)
  const content = isContentTheirs && !isContentOurs ? theirs : ours

  return {
    ours: withAttributes(content, attributes.ours),
    theirs: withAttributes(hasConflict ? theirs : content, attributes.theirs),
    fields: [...(hasConflict ? ['content' as const] : []), ...attributes.fields]
  }
}

/**
 * Merges attributes field by field. Where both sides changed the time of modification, the later one stands: it is no
 * conflict of its own, but goes with content that is one.
 */
export function mergeAttributes (base: Attributes | undefined, ours: Attributes | undefined, theirs: Attributes | undefined, isContentInConflict = false): Merged<Attributes | undefined> {
  const byUs = differingAttributes(base, ours)
  const byThem = differingAttributes(base, theirs)
  const merged = { ours: { ...ours }, theirs: { ...theirs } }
  const fields: EntryField[] = []

  for (const field of ['mode', 'mtime', 'meta'] as const) {
    if (!byThem.includes(field)) {
      Object.assign(merged.theirs, { [field]: ours?.[field] })
    } else if (!byUs.includes(field) || !differingAttributes(ours, theirs).includes(field)) {
      Object.assign(merged.ours, { [field]: theirs?.[field] })
    } else if (field !== 'mtime') {
      fields.push(field)
    } else if (!isContentInConflict) {
      const mtime = laterTime(ours?.mtime, theirs?.mtime)
      Object.assign(merged.ours, { mtime })
      Object.assign(merged.theirs, { mtime })
    }
  }

  return { ours: withoutUndefined(merged.ours), theirs: withoutUndefined(merged.theirs), fields }
}

function laterTime (a: Attributes['mtime'], b: Attributes['mtime']): Attributes['mtime'] {
  if (a === undefined || b === undefined) {
    return a ?? b
  }

  return (a[0] - b[0] || a[1] - b[1]) >= 0 ? a : b
}

function withoutUndefined (attributes: Attributes): Attributes | undefined {
  const defined = Object.entries(attributes).filter(([, value]) => value !== undefined)

  return defined.length === 0 ? undefined : Object.fromEntries(defined)
}

export function withAttributes <T extends Entry> (entry: T, attributes: Attributes | undefined): T {
  const { attributes: _, ...others } = entry

  return { ...others, ...(attributes === undefined ? {} : { attributes }) } as T
}
