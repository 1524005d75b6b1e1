import { usOf } from './columns.ts'
import { triedOf } from './strictness.ts'
import { deeper, nestingLimit, wholeFloats } from './vectors.ts'
import type { CodecReport, Requirement } from './report.ts'
import type { Strictness } from './strictness.ts'

/**
 * How much faster than by decoding all of a directory with `@ipld/dag-cbor` one name is found in place. How much faster than
 * with our own decoder, which is quicker, is told in the tables
 */
const IN_PLACE_FACTOR = 10
/**
 * Of fewer entries than this, the overhead of a call is most of the time
 */
const LEAST_ENTRIES = 500

/**
 * What has to hold of a run; nothing is said of what was not measured. Speeds of other people's libraries are told, not judged.
 */
export function judgeRequirements ({ rows, directories, strictness, carRows, illFormedCar }: Pick<CodecReport, 'rows' | 'directories' | 'strictness' | 'carRows' | 'illFormedCar'>): Requirement[] {
  const isOk = ({ status }: { readonly status: 'ok' | 'failed' }): boolean => status === 'ok'
  // of entries as most are; those of a hundred bytes or less are told, not judged
  const directory = directories.find(({ content, entries }) => content === 'links' && entries >= LEAST_ENTRIES)
  const rowOf = (key: string): Strictness | undefined => triedOf(strictness).find(({ codec }) => codec === key)

  return [
    ...ofAll('@ipld/dag-cbor encodes and decodes every family', rows.filter(({ codec }) => codec === 'dag-cbor'), isOk),
    { what: `our reader refuses what is not dag-cbor, and reads all that is but for whole floats, down to ${nestingLimit} levels`, holds: isStrict(rowOf('dagfs')) },
    { what: 'NaN, infinities and cycles are refused on encoding, by @ipld/dag-cbor and by us', holds: ['dag-cbor', 'dagfs'].every(key => Object.values(rowOf(key)?.encoding ?? { none: 'accepted' }).every(treatment => treatment === 'refused')) },
    { what: 'strings that are not UTF-8 are refused strictly', holds: rowOf('dag-cbor-strict-text')?.illFormedText === 'refused' && rowOf('dagfs')?.illFormedText === 'refused' },
    { what: 'strings that are not UTF-8 pass through byte for byte where that is asked for', holds: rowOf('dag-cbor-kept-text')?.illFormedText === 'kept' },
    ...ofAll('a CAR with strings that are not UTF-8 comes out byte for byte where that is asked for, and is refused strictly', illFormedCar == null ? [] : [illFormedCar], ({ kept, refusal }) => isOk(kept) && refusal?.includes('not UTF-8') === true),
    ...ofAll('what was decoded last of the CAR encodes to the same bytes again', carRows.filter(({ work }) => work === 'read'), isOk),
    ...ofAll('the CAR that was decoded, encoded and written is the one that was read', carRows.filter(({ work }) => work === 'read and write'), isOk),
    ...ofAll(`a name is found in place at least ${IN_PLACE_FACTOR} times faster than by decoding all with @ipld/dag-cbor`, directory == null ? [] : [directory], found => usOf(found, 'full') >= IN_PLACE_FACTOR * usOf(found, 'in place'))
  ]
}

/**
 * A requirement of all of some things; none where there are no such things, since anything would hold of them
 */
function ofAll <T> (what: string, things: readonly T[], isRight: (thing: T) => boolean): Requirement[] {
  return things.length === 0 ? [] : [{ what, holds: things.every(isRight) }]
}

function isStrict (row: Strictness | undefined): boolean {
  return row != null && Object.entries(row.rules).every(([rule, { right, of }]) => right === of || rule === wholeFloats || rule === deeper)
}
