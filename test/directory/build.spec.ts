import { expect } from 'aegir/chai'
import { decodeDirectory, isLeaf, links } from '../../src/codec/index.ts'
import { Directories, inlined, numbered } from './directories.ts'

describe('directory/build', () => {
  const directories = new Directories()
  // an entry of `numbered` has 23 bytes and its content: 179 empty ones are the first to reach the least size of a run
  const roots: Array<[entries: number, contentBytes: number, blocks: number, level: number, root: string]> = [
    [0, 0, 1, 0, 'bafyreighdfsb42ymnoef4uxvdxr6xga52mzafc7s67kgdpc4pg24suxwuy'],
    [1, 0, 1, 0, 'bafyreifk34marubf57zmn2ahhi23q5ovhuhig6t42ms44tcfjunzlugocy'],
    [178, 0, 1, 0, 'bafyreicl4kr7opes5d6f7fqeg226nsgremnzasvtuhbzzjllwhh2v24ggq'],
    [179, 0, 1, 0, 'bafyreiceyw73dt2gukk27d6nh6fiazrcjuqu52h4jgymct6stgwdepltve'],
    [180, 0, 1, 0, 'bafyreidkgmpiak527gljg5duafl5wt62hqkxz6row5qyicqangeq2kcxd4'],
    [3_000, 0, 5, 1, 'bafyreie3zlirmzeqrhm5fncfnwcfmcerwx32dyzp3ujnn2sp36r37c24si'],
    [3_000, 500, 57, 1, 'bafyreihvxi52bmvgsxruwpq4gms4trybbsylgxg22b6w6llggjk7g3xi6e'],
    [1_000, 2_048, 72, 1, 'bafyreidlunihy3r3msmhrif5jeykhwi7uteu5c7fwiu7cujimg7xfleagi'],
    [100_000, 0, 77, 1, 'bafyreide6uisdyy4jdlwoti7k4qjdid4nik2upjdggl2ldampb4o7qhiy4']
  ]

  for (const [entries, contentBytes, blocks, level, root] of roots) {
    it(`always builds the same ${blocks} blocks of ${entries} entries of ${contentBytes} bytes`, async () => {
      const made = await directories.build(numbered(entries, () => contentBytes))

      expect(String(made.cid)).to.equal(root)
      expect(made).to.include({ count: entries, size: entries * contentBytes })
      expect(made.blocks).to.have.lengthOf(blocks)
      expect(decodeDirectory(made.blocks[made.blocks.length - 1]).level).to.equal(level)
    })
  }

  it('yields children before the nodes that link to them', async () => {
    const { blocks } = await directories.build(numbered(20_000, i => i % 100))
    const seen = new Set<string>()

    for (const block of blocks) {
      for (const link of links(block)) {
        expect(seen.has(String(link))).to.equal(true)
      }

      seen.add(String(block.cid))
    }
  })

  it('keeps blocks between the minimum and maximum size, except the last of a level', async () => {
    const { blocks } = await directories.build(numbered(30_000, i => i % 50 === 0 ? 2000 : i % 7))
    const leaves = blocks.filter(block => isLeaf(decodeDirectory(block)))

    for (const { bytes } of leaves.slice(0, -1)) {
      expect(bytes.byteLength).to.be.within(4096, 131_072 + 65_536)
    }
  })

  it('splits a run of the largest entries below the block limit', async () => {
    const { blocks } = await directories.build(numbered(40, () => 65_000))

    expect(Math.max(...blocks.map(({ bytes }) => bytes.byteLength))).to.be.below(2 ** 20)
  })

  it('moves no boundary if an entry changes without changing its size', async () => {
    const before = await directories.build(numbered(5_000, () => 20))
    const after = await directories.build(numbered(5_000, () => 20).map((entry, i) => i === 2_500 ? inlined(entry.name, 20, 2) : entry))
    const known = new Set(before.blocks.map(({ cid }) => String(cid)))

    expect(before.blocks).to.have.length.above(2)
    expect(after.blocks.filter(({ cid }) => !known.has(String(cid)))).to.have.lengthOf(2)
  })

  it('refuses names out of order', async () => {
    await expect(directories.build([inlined('b', 0), inlined('a', 0)])).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
  })

  it('refuses a repeated name', async () => {
    await expect(directories.build([inlined('a', 0), inlined('a', 0)])).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
  })

  it('refuses an entry over 65,536 bytes', async () => {
    await expect(directories.build([inlined('a', 65_536)])).to.eventually.be.rejected.with.property('name', 'LimitExceededError')
  })

  it('refuses sizes that add up to more than 2^53-1', async () => {
    const { cid } = await directories.build([])
    const entries = numbered(400).map(({ name }) => ({ name, kind: 'directory', content: cid, size: Number.MAX_SAFE_INTEGER }) as const)

    await expect(directories.build(entries)).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
  })
})
