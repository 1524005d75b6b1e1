import { execFile } from 'node:child_process'
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'aegir/chai'
import { sha256 } from '../../src/hash.ts'
import { CheckingThreads } from '../../src/pack/segments/checking-threads.ts'
import { childFile } from '../child-file.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { FileHandle } from 'node:fs/promises'

const segment = 'segment-00000001.car'
const child = childFile(import.meta.url, 'reading-child')

describe('threads that read and hash blocks', function () {
  this.timeout(60_000)
  const directories = new Directories()
  let directory: string
  let put: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    put = await blocks(24, 2 ** 20)
    await withStore(directory, {}, async store => putAll(store, put))
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  /** Gives threads that have begun to read, and the segment as an open file, for as long as some work takes. */
  async function withThreads (test: Mocha.Context, work: (threads: CheckingThreads, file: FileHandle) => Promise<void>): Promise<void> {
    // one core has none
    if (availableParallelism() === 1) {
      test.skip()
    }

    const threads = new CheckingThreads()
    const file = await open(join(directory, segment))

    try {
      while (await isReadHere(threads, file)) {
        await delay(10)
      }

      await work(threads, file)
    } finally {
      await threads.close()
      await file.close()
    }
  }

  it('return the requested bytes, each with its hash', async function () {
    const whole = await readFile(join(directory, segment))

    await withThreads(this, async (threads, { fd }) => {
      await Promise.all(Array.from({ length: 40 }, async (_, i) => {
        const place = { offset: i * 7_919, length: 2 ** 20 - i }
        const { bytes, digest } = await threads.read({ ...unread, descriptor: fd }, place, here)
        const expected = whole.subarray(place.offset, place.offset + place.length)

        expect(Buffer.compare(bytes, expected)).to.equal(0)
        expect(bytes.buffer.byteLength).to.equal(place.length)
        expect(Buffer.compare(digest, await sha256(expected))).to.equal(0)
      }))
    })
  })

  it('leave small, unbacked and partly readable ranges to the caller', async function () {
    const mine = Uint8Array.of(1, 2, 3)

    await withThreads(this, async (threads, { fd }) => {
      const readMine = async (descriptor: number | undefined, offset: number, length: number): Promise<Uint8Array> =>
        (await threads.read({ ...unread, descriptor }, { offset, length }, async () => mine)).bytes

      expect(await readMine(fd, 0, 1_000)).to.equal(mine)
      expect(await readMine(undefined, 0, 2 ** 20)).to.equal(mine)
      expect(await readMine(fd, 24 * 2 ** 20, 2 ** 20)).to.equal(mine)
      expect(await readMine(2 ** 20, 0, 2 ** 20)).to.equal(mine)
      const { bytes } = await threads.read({ ...unread, descriptor: fd }, { offset: 0, length: 2 ** 20 }, here)
      expect(bytes).to.have.lengthOf(2 ** 20)
    })
  })

  it('leave requests during and after closing to the caller', async function () {
    const mine = Uint8Array.of(1, 2, 3)
    const place = { offset: 0, length: 2 ** 20 }

    await withThreads(this, async (threads, { fd }) => {
      const reading = Array.from({ length: 20 }, async () => threads.read({ ...unread, descriptor: fd }, place, async () => mine))
      await threads.close()

      for (const { bytes } of await Promise.all(reading)) {
        expect(bytes.byteLength).to.be.oneOf([mine.byteLength, place.length])
      }

      expect((await threads.read({ ...unread, descriptor: fd }, place, async () => mine)).bytes).to.equal(mine)
    })
  })

  it('reject damaged and truncated blocks', async () => {
    const path = join(directory, segment)
    const bytes = await readFile(path)
    const [flipped, cut] = [put[20], put[23]]
    bytes[bytes.indexOf(flipped.bytes.subarray(0, 64)) + 500_000] ^= 1
    await writeFile(path, bytes)

    await withStore(directory, { readonly: true }, async store => {
      // all of them, until threads read them, and then once more
      for (let round = 0; round < 3; round++) {
        for (const { cid, bytes: expected } of put.filter(one => one !== flipped)) {
          expect(Buffer.compare(await readBlock(store, cid), expected)).to.equal(0)
        }

        await expect(readBlock(store, flipped.cid)).to.eventually.be.rejected.with.property('name', 'BlockMismatchError')
        await delay(100)
      }

      await truncate(path, bytes.indexOf(cut.bytes.subarray(0, 64)) + 500_000)
      await expect(readBlock(store, cut.cid)).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    })
  })

  it('end with their store, whose pending reads still resolve', async () => {
    const reading: Array<Promise<Uint8Array>> = []

    await withStore(directory, {}, async store => {
      for (let round = 0; round < 2; round++) {
        await Promise.all(put.map(async ({ cid }) => readBlock(store, cid)))
        await delay(100)
      }

      reading.push(...put.map(async ({ cid }) => readBlock(store, cid)))
    })

    for (const [i, bytes] of (await Promise.all(reading)).entries()) {
      expect(Buffer.compare(bytes, put[i].bytes)).to.equal(0)
    }
  })

  it('do not keep a process alive if its store stays open', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [child, directory], { timeout: 30_000 })

    expect(Number(stdout)).to.equal(2 * 24 * 2 ** 20)
  })
})

const unread = {
  read: async () => here(),
  readNow: () => { throw new Error('is read by a thread') },
  write: async () => {},
  size: async () => 0,
  isAt: () => true,
  state: () => '',
  truncate: async () => {},
  sync: async () => {},
  close: async () => {}
}

async function here (): Promise<never> {
  throw new Error('is read by a thread')
}

async function isReadHere (threads: CheckingThreads, { fd }: FileHandle): Promise<boolean> {
  let isHere = false
  await threads.read({ ...unread, descriptor: fd }, { offset: 0, length: 2 ** 20 }, async () => {
    isHere = true

    return new Uint8Array()
  })

  return isHere
}
