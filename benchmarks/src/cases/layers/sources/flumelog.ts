import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageVersion } from '../../../contenders/package-version.ts'
import { appendRecords, plainMessage } from './append-records.ts'
import type { OpenSource, Place, Source } from './source.ts'
import type { FlumeLog } from 'flumelog-offset'

/**
 * Its files are the same, whatever is read or written at once
 */
const WRITTEN_BLOCK_BYTES = 65_536

/**
 * What the published figures are of: an offset, a length and its repetition around every record, read through a cache of
 * blocks.
 */
export const flumelog: Source = sourceOf('flumelog', 'records', record => Buffer.from(record))

/**
 * The same with JSON in it, as it was really used.
 */
export const flumelogJson: Source = sourceOf('flumelog-json', 'other encodings', record => Buffer.from(JSON.stringify(plainMessage(record, bytes => Buffer.from(bytes).toString('base64')))))

function sourceOf (name: string, holds: Source['holds'], encode: (record: Uint8Array) => Buffer): Source {
  const path = ({ others }: Place): string => join(others, name)

  return {
    holds,
    version: async () => packageVersion('flumelog-offset'),

    own: {
      path,
      async write (place) {
        const { default: createLog } = await import('flumelog-offset')

        await appendRecords(place, encode, promisify(createLog(path(place), { blockSize: WRITTEN_BLOCK_BYTES }).append))
      }
    },

    async open (place) {
      const { default: createLog } = await import('flumelog-offset')

      return openLog(createLog(path(place), { blockSize: place.readBytes }))
    }
  }
}

async function openLog (log: FlumeLog): Promise<OpenSource> {
  const { default: pull } = await import('pull-stream')

  await new Promise(resolve => { log.since.once(resolve) })

  return {
    async scan (take) {
      await new Promise<void>((resolve, reject) => {
        pull(log.stream({ seqs: false, live: false }), pull.drain(take, err => { err == null ? resolve() : reject(err) }))
      })
    },
    // it has no way to be closed; its file is, when its process ends
    async close () {}
  }
}
