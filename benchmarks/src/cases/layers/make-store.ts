import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { encode } from '@ipld/dag-cbor'
import { PackBlockstore } from 'dagfs/pack'
import { CID } from 'multiformats/cid'
import { create } from 'multiformats/hashes/digest'
import { messages, propertyPath } from './records.ts'
import type { Progress } from '../../tools/progress.ts'

/**
 * What is in the store, which every scan has to find
 */
export interface Stored {
  readonly records: number
  /**
   * Of all records
   */
  readonly bytes: number
  /**
   * sha2-256 over all records, one after the other
   */
  readonly digest: string
  /**
   * How often the property is what
   */
  readonly tally: Readonly<Record<string, number>>
  /**
   * The store's files one after the other: their length, and the sha2-256 over them. Absent in reports of before they were compared
   */
  readonly files?: { readonly bytes: number, readonly digest: string }
}

const DAG_CBOR = 0x71
const SHA2_256 = 0x12
const BATCH = 10_000

/**
 * Fills a pack store with messages until they have so many bytes.
 */
export async function makeStore (directory: string, { bytes, seed }: { bytes: number, seed: string }, progress: Progress, signal: AbortSignal): Promise<Stored> {
  const store = new PackBlockstore(directory)
  const hash = createHash('sha256')
  const tally: Record<string, number> = {}
  const [content, type] = propertyPath
  const source = messages(seed)
  const made = { records: 0, bytes: 0 }

  await store.open()

  try {
    let { value } = source.next()

    while (made.bytes < bytes) {
      const record = encode(value)
      const cid = CID.createV1(DAG_CBOR, create(SHA2_256, createHash('sha256').update(record).digest()))

      await store.put(cid, record)
      hash.update(record)
      made.records++
      made.bytes += record.byteLength
      tally[value[content][type]] = (tally[value[content][type]] ?? 0) + 1;
      ({ value } = source.next(cid))

      if (made.records % BATCH === 0) {
        signal.throwIfAborted()
        progress(`making a pack store: ${made.records} records, ${Math.round(made.bytes / bytes * 100)} %`)
      }
    }

    await store.sync()
  } finally {
    await store.close()
  }

  return { ...made, digest: hash.digest('hex'), tally, files: await describeSegments(directory) }
}

async function describeSegments (directory: string): Promise<NonNullable<Stored['files']>> {
  const hash = createHash('sha256')
  let bytes = 0

  for (const name of (await readdir(directory)).filter(candidate => candidate.endsWith('.car')).sort()) {
    for await (const piece of createReadStream(join(directory, name))) {
      hash.update(piece)
      bytes += piece.length
    }
  }

  return { bytes, digest: hash.digest('hex') }
}
