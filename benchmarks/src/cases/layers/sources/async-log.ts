import { join } from 'node:path'
import { promisify } from 'node:util'
import createLog from 'async-append-only-log'
import bipf from 'bipf'
import { packageVersion } from '../../../contenders/package-version.ts'
import { appendRecords, plainMessage } from './append-records.ts'
import type { OpenSource, Place, Source } from './source.ts'
import type { AsyncLog } from 'async-append-only-log'

/**
 * A length before a record, the end of its block behind it; and BIPF takes as much again for what dag-cbor says shortly
 */
const ROOM = 2
/**
 * How long it collects what is to be written
 */
const WRITE_TIMEOUT_MS = 10

/**
 * What came after flumelog-offset: blocks of fixed size which records do not cross, and in them BIPF, which is made for
 * reading in place. The size of its reads is that of its blocks, so that there is a file for each.
 */
export const asyncLog: Source = {
  holds: 'other encodings',

  unavailable ({ readBytes, largestBytes }) {
    return readBytes < ROOM * largestBytes ? `its records do not cross the blocks that it reads, and the largest has ${largestBytes} bytes` : undefined
  },

  version: async () => `${await packageVersion('async-append-only-log')}, ${await packageVersion('bipf')}`,

  own: {
    path: fileOf,

    async write (place) {
      const log = createLog(fileOf(place), { blockSize: place.readBytes, writeTimeout: WRITE_TIMEOUT_MS })

      await appendRecords(place, record => bipf.allocAndEncode(plainMessage(record, bytes => Buffer.from(bytes))), promisify(log.append))
      await promisify(log.close)()
    }
  },

  async open (place) {
    const log = createLog(fileOf(place), { blockSize: place.readBytes })

    await new Promise<void>(resolve => { log.onDrain(resolve) })

    return openLog(log)
  }
}

function fileOf ({ others, readBytes }: Place): string {
  return join(others, `async-log-${readBytes}`)
}

function openLog (log: AsyncLog): OpenSource {
  return {
    async scan (take) {
      await new Promise<void>((resolve, reject) => {
        log.stream({ offsets: false }).pipe({ paused: false, write: take, end: err => { err == null ? resolve() : reject(err) } })
      })
    },
    close: promisify(log.close)
  }
}
