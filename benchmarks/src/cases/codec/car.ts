import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CarBlockIterator, CarWriter } from '@ipld/car'
import { garbage } from '@ipld/garbage'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { timeRun } from '../../harness/time-run.ts'
import { keepingText, RawText } from './codecs/text.ts'
import { withSeed } from './families.ts'
import type { Codec } from './codecs/index.ts'
import type { Progress } from '../../tools/progress.ts'
import type { BlockWriter } from '@ipld/car/writer'

const DAG_CBOR = 0x71
const SHA2_256 = 0x12
/**
 * Values that are made under one seed, before others get their turn, and blocks that are compared behind a reading
 */
const BATCH = 1_000
/**
 * As `@ipld/garbage` counts; some 250 bytes encoded, as the blocks of the
 * document's family rnd-fil-1000
 */
const VALUE_SIZE = 1_000

/**
 * What a CAR has in it
 */
export interface CarDescription {
  readonly blocks: number
  readonly bytes: number
  /**
   * sha2-256 of the file
   */
  readonly digest: string
}

export interface CarRun {
  readonly ms: number
  readonly blocks: number
  /**
   * Of the file that was read, or of the one that was written
   */
  readonly bytes: number
  /**
   * sha2-256 of the file that was written; absent where none was
   */
  readonly digest?: string
  /**
   * Blocks that were compared where none was written: the last ones, encoded again
   */
  readonly compared?: number
}

interface Sizes {
  readonly blocks: number
  readonly carBytes: number
  readonly seed: string
  /**
   * Whether every tenth block has a string that is not UTF-8, as those of Filecoin have
   */
  readonly isIllFormed?: boolean
}

const ILL_FORMED_EVERY = 10
const ILL_FORMED = Uint8Array.of(0x62, 0xc3, 0x28, 0xff)

/**
 * Writes a CAR of random dag-cbor blocks, each of which links to the one before
 * it: a chain of headers, as the document's Filecoin chain.
 */
export async function generateCar (file: string, { blocks, carBytes, seed, isIllFormed = false }: Sizes, progress: Progress, signal: AbortSignal): Promise<CarDescription> {
  let written = 0

  return writeCar(file, undefined, async writer => {
    let parents: CID[] = []

    for (let batch = 0, bytes = 0; written < blocks || bytes < carBytes; batch++) {
      signal.throwIfAborted()
      progress(`making a CAR: ${written} of ${blocks} blocks`)

      for (const value of withSeed(`${seed}/car/${batch}`, makeBatch).slice(0, carBytes > 0 ? BATCH : blocks - written)) {
        const params = isIllFormed && written % ILL_FORMED_EVERY === 0 ? { params: new RawText(ILL_FORMED) } : {}
        const encoded = keepingText.encode({ height: written, parents, messages: value, ...params })
        const cid = cidOf(encoded)

        await writer.put({ cid, bytes: encoded })
        parents = [cid]
        bytes += encoded.byteLength
        written++
      }
    }

    return written
  })
}

function makeBatch (): unknown[] {
  return Array.from({ length: BATCH }, () => garbage(VALUE_SIZE, { weights: { float: 0, map: 0 } }))
}

/**
 * Reads a CAR as a stream, and decodes every block. Behind the clock, the last of them are encoded again, and have to be
 * the bytes that were read.
 */
export async function readCar (file: string, codec: Codec): Promise<CarRun> {
  const last: Array<{ readonly bytes: Uint8Array, readonly value: unknown }> = []
  const { ms, result: blocks } = await timeRun(async () => {
    let count = 0

    for await (const { bytes } of await CarBlockIterator.fromIterable(createReadStream(file))) {
      last[count++ % BATCH] = { bytes, value: codec.decode(bytes) }
    }

    return count
  })

  for (const { bytes, value } of last) {
    if (Buffer.compare(codec.encode(value), bytes) !== 0) {
      throw new Error('a block that was decoded does not encode to the same bytes again')
    }
  }

  const { size } = await stat(file)

  return { ms, blocks, bytes: size, compared: last.length }
}

/**
 * Reads a CAR as a stream, decodes every block, encodes it again, names it by
 * its hash and writes it to another CAR.
 */
export async function rewriteCar (file: string, copy: string, codec: Codec): Promise<CarRun> {
  const { ms, result } = await timeRun(async () => {
    const input = await CarBlockIterator.fromIterable(createReadStream(file))
    const roots = await input.getRoots()

    return writeCar(copy, roots, async writer => {
      let blocks = 0

      for await (const { bytes } of input) {
        const encoded = codec.encode(codec.decode(bytes)).slice()

        await writer.put({ cid: cidOf(encoded), bytes: encoded })
        blocks++
      }

      return blocks
    })
  })

  // the proof that nothing was lost is the hash of the whole file, taken outside of the clock
  return { ms, blocks: result.blocks, ...await describeFile(copy) }
}

async function writeCar (file: string, roots: CID[] | undefined, write: (writer: BlockWriter) => Promise<number>): Promise<CarDescription> {
  const { writer, out } = CarWriter.create(roots ?? [])
  const writing = pipeline(Readable.from(out), createWriteStream(file))
  const [blocks] = await Promise.all([
    (async () => {
      const count = await write(writer)

      await writer.close()

      return count
    })(),
    writing
  ])

  return { blocks, ...roots == null ? await describeFile(file) : { bytes: 0, digest: '' } }
}

async function describeFile (file: string): Promise<{ bytes: number, digest: string }> {
  const hash = createHash('sha256')
  let bytes = 0

  for await (const piece of createReadStream(file)) {
    hash.update(piece)
    bytes += piece.length
  }

  return { bytes, digest: hash.digest('hex') }
}

function cidOf (bytes: Uint8Array): CID {
  return CID.createV1(DAG_CBOR, create(SHA2_256, createHash('sha256').update(bytes).digest()))
}
