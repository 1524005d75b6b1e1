import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageVersion } from '../../../contenders/package-version.ts'
import { appendRecords, plainMessage } from './append-records.ts'
import type { OpenSource, Place, Source } from './source.ts'
import type { AsyncLog } from 'async-append-only-log'

/**
 * Its blocks by default
 */
const BLOCK_BYTES = 65_536
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

  unavailable: ({ readBytes }) => readBytes === BLOCK_BYTES ? undefined : 'it reads a block of its file at once, 64 KiB by default, and syncs every one that it writes: files with other blocks take too long to make',

  version: async () => `${await packageVersion('async-append-only-log')}, ${await packageVersion('bipf')}`,

  own: {
    path: fileOf,

    async write (place) {
      const [{ default: createLog }, { default: bipf }] = await Promise.all([import('async-append-only-log'), import('bipf')])
      const log = createLog(fileOf(place), { blockSize: BLOCK_BYTES, writeTimeout: WRITE_TIMEOUT_MS })

      await appendRecords(place, record => bipf.allocAndEncode(plainMessage(record, bytes => Buffer.from(bytes))), promisify(log.append))
      await promisify(log.close)()
    }
  },

  async open (place) {
    const { default: createLog } = await import('async-append-only-log')
    const log = createLog(fileOf(place), { blockSize: BLOCK_BYTES })

    await new Promise<void>(resolve => { log.onDrain(resolve) })

    return openLog(log)
  }
}

function fileOf ({ others }: Place): string {
  return join(others, 'async-log')
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
