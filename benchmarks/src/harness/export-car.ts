import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CarWriter } from '@ipld/car'
import * as dagCbor from '@ipld/dag-cbor'
import { equals } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import type { ExportedCar } from './protocol.ts'

type Writer = ReturnType<typeof CarWriter.create>['writer']

interface Counts {
  blocks: number
  dagCbor: string[]
}

/**
 * Writes every block under a root into a CAR file, each once. The links are
 * found by decoding the blocks as plain dag-cbor, without any knowledge of
 * dagfs' schema, so that this also checks that any IPLD walker gets through.
 */
export async function exportCar (root: CID, get: (cid: CID) => Promise<Uint8Array>, file: string): Promise<ExportedCar> {
  const { writer, out } = CarWriter.create([root])
  const written = pipeline(Readable.from(out), createWriteStream(file))
  const counts: Counts = { blocks: 0, dagCbor: [] }

  await Promise.all([written, writeAll(root, get, writer, counts)])

  return counts
}

async function writeAll (root: CID, get: (cid: CID) => Promise<Uint8Array>, writer: Writer, counts: Counts): Promise<void> {
  const seen = new Set([root.toString()])
  const pending = [root]

  while (true) {
    const cid = pending.pop()

    if (cid == null) {
      break
    }

    const bytes = await get(cid)
    const digest = await sha256.digest(bytes)

    if (!equals(digest.bytes, cid.multihash.bytes)) {
      throw new Error(`the stored block ${cid} does not match its CID`)
    }

    await writer.put({ cid, bytes })
    counts.blocks++

    if (cid.code === dagCbor.code) {
      counts.dagCbor.push(cid.toString())
    } else if (cid.code !== raw.code) {
      throw new Error(`the block ${cid} is neither dag-cbor nor raw`)
    }

    for (const link of cid.code === dagCbor.code ? links(dagCbor.decode(bytes)) : []) {
      if (!seen.has(link.toString())) {
        seen.add(link.toString())
        pending.push(link)
      }
    }
  }

  await writer.close()
}

function * links (value: unknown): Generator<CID> {
  const cid = CID.asCID(value)

  if (cid != null) {
    yield cid
  } else if (typeof value === 'object' && value != null && !ArrayBuffer.isView(value)) {
    for (const item of Object.values(value)) {
      yield * links(item)
    }
  }
}
