import { createHash } from 'node:crypto'
import { valuesOf } from './families.ts'
import { timeWarm } from './time-warm.ts'
import type { Codec } from './codecs/index.ts'
import type { Family } from './families.ts'
import type { Prepared } from './protocol.ts'
import type { TimedSample } from '../../harness/rounds.ts'

/**
 * The values of a family with one codec, ready to be timed
 */
export interface TimedFamily extends Prepared {
  /**
   * One run over all values, without a clock
   */
  readonly runs: { encode(this: void): void, decode(this: void): void }
  /**
   * Each times one such run. What came out is encoded to the digest that the sample has, behind the clock
   */
  encode(): Promise<TimedSample>
  decode(): Promise<TimedSample>
}

/**
 * Makes the values of a family, and encodes, decodes and encodes them again.
 *
 * @throws {Error} where that does not give the same bytes
 */
export function timedFamily (codec: Codec, family: Family, count: number, seed: string): TimedFamily {
  // copied, since a library may give out pieces of one buffer that it goes on writing to
  const encodeAll = (items: readonly unknown[]): Uint8Array[] => items.map(item => codec.encode(item).slice())
  const values = valuesOf(family, count, seed).map(codec.prepare ?? (value => value))
  const blocks = encodeAll(values)
  // by the last run
  const decoded: unknown[] = blocks.map(() => undefined)
  const digest = digestOf(blocks)
  const runs = {
    encode () {
      for (const value of values) {
        codec.encode(value)
      }
    },
    decode () {
      for (let index = 0; index < blocks.length; index++) {
        decoded[index] = codec.decode(blocks[index])
      }
    }
  }

  runs.decode()

  if (digestOf(encodeAll(decoded)) !== digest) {
    throw new Error('what was decoded does not encode to the same bytes again')
  }

  return {
    bytes: blocks.reduce((sum, { byteLength }) => sum + byteLength, 0),
    digest,
    runs,
    encode: async () => ({ ms: await timeWarm(runs.encode), cid: digestOf(encodeAll(values)) }),
    decode: async () => ({ ms: await timeWarm(runs.decode), cid: digestOf(encodeAll(decoded)) })
  }
}

function digestOf (parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')

  for (const bytes of parts) {
    hash.update(bytes)
  }

  return hash.digest('hex')
}
