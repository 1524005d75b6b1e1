import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { concat } from '../../src/bytes.ts'
import { encodeCommit } from '../../src/pack/format/record.ts'
import { encodeSegmentHead, recordSection } from '../../src/pack/format/segment-head.ts'
import { RangeDigest } from '../../src/pack/scanning/range-digest.ts'
import { maxSegmentNumber, segmentName, segmentNumber } from '../../src/pack/segments/segments.ts'
import { expectBlocks } from './expect-blocks.ts'
import { block, blocks, Directories, putAll, withStore } from './stores.ts'

describe('segment numbers of a pack store', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  /** A store that consists of an empty segment */
  async function storeOf (segment: number): Promise<string> {
    const directory = await directories.make()
    const [store, id] = [new Uint8Array(16), new Uint8Array(16)]
    const head = await encodeSegmentHead({ store, segment, id })
    const digest = new RangeDigest()
    digest.add(head)
    const record = encodeCommit({ store, id, sequence: 0, durable: 0, segment, from: 0, to: head.byteLength, digest: digest.digest(), previous: undefined, roots: new Map(), segments: [segment], removed: [] })
    await writeFile(join(directory, segmentName(segment)), concat([head, await recordSection(record)]))

    return directory
  }

  it('grow from eight digits to nine, and what is published is found again', async () => {
    const directory = await storeOf(99_999_999)
    const { cid, bytes } = await block(new Uint8Array(1_000))

    await withStore(directory, {}, async writer => {
      await writer.compact()
      await writer.put(cid, bytes)
      await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })

    expect((await readdir(directory)).some(name => (segmentNumber(name) ?? 0) >= 100_000_000)).to.equal(true)
    await withStore(directory, {}, async writer => {
      expect(await writer.has(cid)).to.equal(true)
      expect(await writer.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })
  })

  const heads = { 'no byte': async () => new Uint8Array(0), 'a head': async () => encodeSegmentHead({ store: new Uint8Array(16), segment: 3, id: new Uint8Array(16) }) }

  for (const [what, left] of Object.entries(heads)) {
    it(`skip a file of a writer that lost the store, with ${what} in it`, async () => {
      const directory = await storeOf(1)
      const put = await blocks(8, 1_000)

      await withStore(directory, { segmentBytes: 4_096 }, async writer => {
        await writeFile(join(directory, segmentName(3)), await left())
        await putAll(writer, put)
        await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
        expect((await writer.verify()).problems).to.deep.equal([])
      })

      await withStore(directory, {}, async writer => {
        await expectBlocks(writer, put)
        expect((await writer.verify()).problems).to.deep.equal([])
      })
      expect((await readdir(directory)).filter(name => segmentNumber(name) === 3 || name.includes('aside'))).to.deep.equal([])
    })
  }

  it('end at the maximum: no segment is begun, and earlier puts are kept', async () => {
    const directory = await storeOf(maxSegmentNumber)
    const { cid, bytes } = await block(new Uint8Array(1_000))

    await withStore(directory, {}, async writer => {
      await writer.put(cid, bytes)
      await expect(writer.compact()).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
      await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    })

    await withStore(directory, {}, async writer => {
      expect(await writer.has(cid)).to.equal(true)
      expect(await writer.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })
  })

  for (const [name, number] of [
    ['segment-00000001.car', 1],
    ['segment-99999999.car', 99_999_999],
    ['segment-100000000.car', 100_000_000],
    ['segment-4294967295.car', maxSegmentNumber],
    ['segment-4294967296.car', undefined],
    ['segment-000000001.car', undefined],
    ['segment-1.car', undefined],
    ['segment-00000001.car.tmp', undefined]
  ] as const) {
    it(`${number === undefined ? 'are not read from' : 'are read from'} the name ${name}`, () => {
      expect(segmentNumber(name)).to.equal(number)
    })
  }
})
