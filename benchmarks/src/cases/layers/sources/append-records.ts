import { decode } from '@ipld/dag-cbor'
import { PackBlockstore } from 'dagfs/pack'
import type { Place } from './source.ts'
import type { Message } from '../records.ts'

/**
 * Gives every record of the pack store to a log that is made of it, some at a
 * time, and waits for each lot to be taken.
 */
export async function appendRecords ({ store }: Place, encode: (record: Uint8Array) => Buffer, append: (records: Buffer[]) => Promise<void>): Promise<void> {
  const blockstore = new PackBlockstore(store, { readonly: true })

  await blockstore.open()

  try {
    for await (const batch of blockstore.scan()) {
      await append(Array.from({ length: batch.length }, (_, i) => encode(batch.data(i))))
    }
  } finally {
    await blockstore.close()
  }
}

/**
 * A record with nothing in it but what JSON knows, and bytes.
 */
export function plainMessage <B> (record: Uint8Array, wrapBytes: (bytes: Uint8Array) => B): Record<string, unknown> {
  const { previous, signature, ...message } = decode<Message>(record)

  return { ...message, previous: previous == null ? null : String(previous), signature: wrapBytes(signature) }
}
