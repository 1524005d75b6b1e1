import { isDeepStrictEqual } from 'node:util'
import type { Seen } from './consumers.ts'
import type { Layer } from './layers.ts'
import type { Stored } from './make-store.ts'

/**
 * One way to hold what a layer found against what was stored
 */
interface Check {
  /**
   * What it goes by, in words
   */
  readonly by: string
  /**
   * Says what is wrong; undefined where nothing is
   */
  fault(seen: Seen, stored: Stored): string | undefined
}

const RECORDS: Check = {
  by: 'the number of records',
  fault: ({ pieces }, { records }) => pieces === records ? undefined : `${pieces} records were found, and ${records} are stored`
}

const RECORD_BYTES: Check = {
  by: 'the sha2-256 over all of them',
  fault: ({ digest }, stored) => digest === stored.digest ? undefined : `the sha2-256 over all records is ${digest}, and that of what was stored ${stored.digest}`
}

const PROPERTY: Check = {
  by: 'how often the property is what',
  fault: ({ tally }, stored) => isDeepStrictEqual(tally, stored.tally) ? undefined : `the property was ${JSON.stringify(tally)}, and is ${JSON.stringify(stored.tally)}`
}

const FILE_BYTES: Check = {
  by: 'the length and the sha2-256 of the store’s files',
  fault: ({ bytes, digest }, { files }) => bytes === files?.bytes && digest === files.digest ? undefined : `${bytes} bytes with the sha2-256 ${digest} were read, and the files have ${files?.bytes} with ${files?.digest}`
}

/**
 * Holds what a layer found against what was stored, as far as what it gives can be.
 *
 * @throws {Error} where it found something else
 */
export function requireRight (layer: Layer, seen: Seen, stored: Stored): void {
  for (const { fault } of checksOf(layer)) {
    const found = fault(seen, stored)

    if (found != null) {
      throw new Error(found)
    }
  }
}

/**
 * Says by what each of the layers is held against what was stored, those that are held alike together.
 */
export function sayChecks (layers: readonly Layer[]): string {
  const kinds = Object.groupBy(layers, layer => checksOf(layer).map(({ by }) => by).join(' and '))

  return Object.entries(kinds).map(([by, group = []]) => `${group.map(({ key }) => `\`${key}\``).join(', ')} by ${by}`).join('; ')
}

function checksOf ({ source: { holds }, property }: Layer): readonly Check[] {
  if (holds === 'files') {
    return [FILE_BYTES]
  }

  // bytes that are encoded otherwise are nobody's to compare
  const contents = property == null ? [] : [PROPERTY]

  return [RECORDS, ...holds === 'records' && property == null ? [RECORD_BYTES] : contents]
}
