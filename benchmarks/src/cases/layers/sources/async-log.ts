import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageVersion } from '../../../contenders/package-version.ts'
import { appendRecords, plainMessage } from './append-records.ts'
import type { OpenSource, Place, Source } from './source.ts'
import type { AsyncLog } from 'async-append-only-log'

/**
 * A record has to lie in one block, and as BIPF they are longer than 1 KiB, up to 1.6 KB
 */
const RECORD_BYTES = 2_048
/**
 * It syncs each block that it writes, by which 343 MB take half a minute in blocks of 4 KiB where a sync takes 0.4 ms, and
 * six where it takes 4
 */
const LEAST_BLOCK_BYTES = 16_384
/**
 * How long it collects what is to be written
 */
const WRITE_TIMEOUT_MS = 1

/**
 * What came after flumelog-offset: blocks of fixed size which records do not cross, and in them BIPF, which is made for
 * reading in place. The size of its reads is that of its blocks.
 */
export const asyncLog: Source = {
  holds: 'other encodings',

  unavailable ({ readBytes }) {
    if (readBytes < RECORD_BYTES) {
      return 'it reads a block of its file at once, which no record may cross, and many are longer than such a block'
    }

    return readBytes < LEAST_BLOCK_BYTES ? 'it reads a block of its file at once, and syncs each that it writes: of such blocks there are so many that this takes minutes on a slow disk' : undefined
  },

  version: async () => `${await packageVersion('async-append-only-log')}, ${await packageVersion('bipf')}`,

  own: {
    path: fileOf,

    async write (place) {
      const [{ default: createLog }, { default: bipf }] = await Promise.all([import('async-append-only-log'), import('bipf')])
      const log = createLog(fileOf(place), { blockSize: place.readBytes, writeTimeout: WRITE_TIMEOUT_MS })

      await appendRecords(place, record => bipf.allocAndEncode(plainMessage(record, bytes => Buffer.from(bytes))), promisify(log.append))
      await promisify(log.close)()
    }
  },

  async open (place) {
    const { default: createLog } = await import('async-append-only-log')
    const log = createLog(fileOf(place), { blockSize: place.readBytes })

    await new Promise<void>(resolve => { log.onDrain(resolve) })

    return openLog(log)
  }
}

/**
 * Another one for each length of its blocks
 */
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
