import { defaultMaxBytes, defaultMaxEntries } from '../../src/adapters/host/export-directory.ts'
import { maxRulesBytes } from '../../src/adapters/host/ignore-rules.ts'
import { heldLimits, rewriteLimits, streamedLimits } from '../../src/budget.ts'
import * as limits from '../../src/codec/limits.ts'
import { maxOpenLines } from '../../src/fs/history/walk.ts'
import { maxPublishedNameBytes } from '../../src/fs/publish/root-options.ts'
import { maxSegments as maxPackSegments } from '../../src/pack/format/record.ts'
import { maxBlockBytes } from '../../src/pack/format/section.ts'
import { maxCarBytes, maxHeaderBytes } from '../../src/pack/maintenance/car-blocks.ts'
import { maxPublishedBytes } from '../../src/pack/writing/log-writer.ts'
import { maxNameBytes, maxPathSegments } from '../../src/path.ts'
import { maxLinksFollowed } from '../../src/tree/resolve.ts'
import { betweenMarkers } from '../architecture/markdown.ts'

const rows: ReadonlyArray<readonly [what: string, limit: string]> = [
  ['a block that is read', bytes(limits.maxReadBlockBytes)],
  ['a block that is written', bytes(limits.maxWrittenBlockBytes)],
  ['a block in the pack store', bytes(maxBlockBytes)],
  ['all names and roots of a pack store, in one commit record', bytes(maxPublishedBytes)],
  ['segments of a pack store, each of `segmentBytes`', count(maxPackSegments)],
  ['items of a list or map', count(limits.maxItems)],
  ['nesting of a value in dag-cbor blocks of other formats', `${count(limits.maxValueDepth)} levels`],
  ['nesting of `meta`', `${count(limits.maxMetaDepth)} levels`],
  ['`meta` of an entry, of a snapshot', `${bytes(limits.maxMetaBytes)}, ${bytes(limits.maxSnapshotMetaBytes)}`],
  ['an entry with its inlined content', bytes(limits.maxEntryBytes)],
  ['a name', `${bytes(maxNameBytes)} of UTF-8`],
  ['a path', `${count(maxPathSegments)} segments`],
  ['a root\'s name', `${bytes(maxPublishedNameBytes)} of UTF-8`],
  ['the target of a symbolic link', bytes(limits.maxTargetBytes)],
  ['symbolic links followed on one path', count(maxLinksFollowed)],
  ['levels of branch nodes of a directory', count(limits.maxLevel)],
  ['links of a file\'s index', count(limits.maxWidth)],
  ['parents of a snapshot', count(limits.maxParents)],
  ['message of a snapshot', bytes(limits.maxMessageBytes)],
  ['concurrent branches of a history', count(maxOpenLines)],
  ['a CAR to heal from, and its header', `${bytes(maxCarBytes)}, ${bytes(maxHeaderBytes)}`],
  ['ignore files of a directory and those above, together', bytes(maxRulesBytes)],
  ['`readdir` with `recursive`, `cp` entry by entry, `merge`, and `checkout` beside `watch`: defaults of `limits`', `${count(heldLimits.entries)} entries, ${count(heldLimits.blocks)} blocks, ${bytes(heldLimits.bytes)}`],
  ['`diff` and `glob`: defaults of `limits`', `${count(streamedLimits.entries)} entries, ${count(streamedLimits.blocks)} blocks, ${bytes(streamedLimits.bytes)}`],
  ['`glob` with several patterns: default of `maxEntries`', `${count(heldLimits.entries)} paths`],
  ['a changed file of another layout, which `commit`, `sync` or `close` stores anew: defaults of `limits`', `${count(rewriteLimits.blocks)} blocks, ${bytes(rewriteLimits.bytes)}`],
  ['`exportDirectory`: defaults of `maxEntries` and `maxBytes`', `${count(defaultMaxEntries)} entries, ${bytes(defaultMaxBytes)}`]
]

function count (value: number): string {
  return value.toLocaleString('en')
}

function bytes (value: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  let unit = 0

  for (; value % 1_024 === 0 && unit < units.length - 1; unit++) {
    value /= 1_024
  }

  return `${count(value)} ${units[unit]}`
}

/**
 * Puts the table of limits, made from the code's constants, between its markers.
 *
 * @throws {Error} where a marker is missing
 */
export function withLimits (page: string): string {
  const table = ['| what | limit |', '|---|---|', ...rows.map(([what, limit]) => `| ${what} | ${limit} |`)].join('\n')

  return betweenMarkers(page, 'limits', table)
}
