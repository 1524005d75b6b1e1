import { describeError } from '../../harness/describe-error.ts'
import { loadCodec } from './codecs/index.ts'
import { vectors } from './vectors.ts'
import type { Codec } from './codecs/index.ts'

/**
 * What became of one codec: what it takes, or why it could not be tried
 */
export type StrictnessRow = Strictness | Untried

export interface Untried {
  readonly codec: string
  readonly status: 'failed'
  readonly reason: string
}

export interface Strictness {
  readonly codec: string
  /**
   * By rule: how many of the invalid encodings were refused, and of the valid ones kept
   */
  readonly rules: Readonly<Record<string, Count>>
  /**
   * What it accepts and should not, and what it refuses or changes and should not
   */
  readonly wrong: readonly string[]
  /**
   * What becomes of what cannot be said, when it is encoded
   */
  readonly encoding: Readonly<Record<string, Encoding>>
  /**
   * What becomes of a block with a string that is not UTF-8
   */
  readonly illFormedText: 'refused' | 'kept' | 'changed'
  readonly status?: undefined
}

export type Encoding = 'refused' | 'accepted' | 'overflows the stack'

interface Count {
  readonly right: number
  readonly of: number
}

/**
 * A map with a string of two bytes that are not UTF-8, as Filecoin has them
 */
const ILL_FORMED = Uint8Array.of(0xa1, 0x61, 0x61, 0x62, 0xc3, 0x28)

/**
 * Shows every codec encodings that are dag-cbor, and such that are not.
 */
export async function measureStrictness (keys: readonly string[]): Promise<StrictnessRow[]> {
  return Promise.all(keys.map(strictnessOfLoaded))
}

async function strictnessOfLoaded (key: string): Promise<StrictnessRow> {
  let codec: Codec

  try {
    codec = await loadCodec(key)
  } catch (err) {
    // its package does not load, which says nothing of the others
    return { codec: key, status: 'failed', reason: describeError(err) }
  }

  return strictnessOf(key, codec)
}

/**
 * Those codecs that could be tried
 */
export function triedOf (rows: readonly StrictnessRow[]): Strictness[] {
  return rows.filter(row => row.status == null)
}

export function untriedOf (rows: readonly StrictnessRow[]): Untried[] {
  return rows.filter(row => row.status === 'failed')
}

function strictnessOf (key: string, codec: Codec): Strictness {
  const tried = vectors.map(vector => ({ ...vector, isRight: isTreatedRight(vector, codec) }))

  return {
    codec: key,
    rules: Object.fromEntries(Object.entries(Object.groupBy(tried, ({ rule }) => rule)).map(([rule, group = []]) => [rule, { right: group.filter(({ isRight }) => isRight).length, of: group.length }])),
    wrong: tried.filter(({ isRight }) => !isRight).map(({ rule, why, isValid }) => `${rule}: ${why} (${isValid ? 'refused or changed' : 'accepted'})`),
    encoding: {
      NaN: encoding(codec, NaN),
      Infinity: encoding(codec, Infinity),
      '-Infinity': encoding(codec, -Infinity),
      cycle: encoding(codec, cycle())
    },
    illFormedText: illFormedText(codec)
  }
}

/**
 * What is not dag-cbor has to be refused; what is has to come back as it was.
 */
function isTreatedRight ({ hex, isValid }: { hex: string, isValid: boolean }, codec: Codec): boolean {
  const bytes = Buffer.from(hex, 'hex')
  const again = tried(() => codec.encode(codec.decode(bytes)))

  if (!isValid) {
    return tried(() => codec.decode(bytes) ?? null) === undefined
  }

  return again !== undefined && bytes.equals(again)
}

function encoding (codec: Codec, value: unknown): Encoding {
  try {
    codec.encode(value)
  } catch (err) {
    return err instanceof RangeError && err.message.includes('call stack') ? 'overflows the stack' : 'refused'
  }

  return 'accepted'
}

function cycle (): unknown {
  const value: unknown[] = []

  value.push({ value })

  return value
}

function illFormedText (codec: Codec): Strictness['illFormedText'] {
  const again = tried(() => codec.encode(codec.decode(ILL_FORMED)))

  if (again === undefined) {
    return 'refused'
  }

  return Buffer.from(ILL_FORMED).equals(again) ? 'kept' : 'changed'
}

function tried <T> (act: () => T): T | undefined {
  try {
    return act()
  } catch {
    // every library has errors of its own, and that it refuses is what is asked
    return undefined
  }
}
