import { usOf } from './columns.ts'
import { triedOf } from './strictness.ts'
import { nesting, wholeFloats } from './vectors.ts'
import type { CodecReport, Requirement } from './report.ts'
import type { Strictness } from './strictness.ts'

/**
 * How much faster than by decoding one name is found in place
 */
const IN_PLACE_FACTOR = 10
/**
 * What decodes all: the plain codec, and what look-ups would run if there were no reading in place
 */
const DECODERS = [{ way: 'full', name: '@ipld/dag-cbor' }, { way: 'strict', name: 'our own decoder' }]
/**
 * Of fewer entries than this, the overhead of a call is most of the time
 */
const LEAST_ENTRIES = 500

/**
 * What has to hold of a run. Speeds of other people's libraries are told, not judged.
 */
export function judgeRequirements ({ rows, directories, strictness, carRows, illFormedCar }: Pick<CodecReport, 'rows' | 'directories' | 'strictness' | 'carRows' | 'illFormedCar'>): Requirement[] {
  // of entries as most are; those of a hundred bytes or less are told, not judged
  const directory = directories.find(({ content }) => content === 'links')
  const rowOf = (key: string): Strictness | undefined => triedOf(strictness).find(({ codec }) => codec === key)
  const requirements = [
    { what: '@ipld/dag-cbor encodes and decodes every family', holds: rows.filter(({ codec }) => codec === 'dag-cbor').every(({ status }) => status === 'ok') },
    { what: 'our reader refuses what is not dag-cbor, and reads all that is, down to its limit', holds: isStrict(rowOf('dagfs')) },
    { what: 'NaN, infinities and cycles are refused on encoding', holds: Object.values(rowOf('dag-cbor')?.encoding ?? { none: 'accepted' }).every(treatment => treatment === 'refused') },
    { what: 'strings that are not UTF-8 are refused strictly', holds: rowOf('dag-cbor-strict-text')?.illFormedText === 'refused' && rowOf('dagfs')?.illFormedText === 'refused' },
    { what: 'strings that are not UTF-8 pass through byte for byte where that is asked for', holds: rowOf('dag-cbor-kept-text')?.illFormedText === 'kept' },
    ...illFormedCar == null ? [] : [{ what: 'a CAR with strings that are not UTF-8 comes out byte for byte where that is asked for, and is refused strictly', holds: illFormedCar.kept.status === 'ok' && illFormedCar.refusal?.includes('not UTF-8') === true }],
    { what: 'the CAR that was decoded, encoded and written is the one that was read', holds: carRows.every(({ status }) => status === 'ok') }
  ]

  return directory == null || directory.entries < LEAST_ENTRIES
    ? requirements
    : [...requirements, ...DECODERS.map(({ way, name }) => ({
        what: `a name is found in place at least ${IN_PLACE_FACTOR} times faster than by decoding all with ${name}`,
        holds: usOf(directory, way) >= IN_PLACE_FACTOR * usOf(directory, 'in place')
      }))]
}

function isStrict (row: Strictness | undefined): boolean {
  return row != null && Object.entries(row.rules).every(([rule, { right, of }]) => right === of || rule === wholeFloats || rule === nesting)
}
