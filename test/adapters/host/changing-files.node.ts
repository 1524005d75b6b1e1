import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { PieceMemory, pieceBytes } from '../../../src/adapters/host/piece-memory.ts'
import { readHostFile, readInPieces } from '../../../src/adapters/host/read-host-file.ts'
import { openDescriptors, temporaryDirectory } from './host.ts'

describe('adapters/host/read-host-file', () => {
  const { readSync } = nodefs
  let directory: string
  let file: string
  let remove: () => void

  beforeEach(() => {
    ({ path: directory, remove } = temporaryDirectory())
    file = join(directory, 'file')
    nodefs.writeFileSync(file, 'content')
    // whole seconds, which can be put back
    nodefs.utimesSync(file, 1_000_000, 1_000_000)
  })

  afterEach(() => {
    nodefs.readSync = readSync
    remove()
  })

  function read (path = file): Uint8Array | undefined {
    return readHostFile(path, length => new Uint8Array(length)).bytes
  }

  /** What is done between the first read of a file and the look at it after the last. */
  function afterRead (change: () => void): void {
    nodefs.readSync = (...parameters: unknown[]) => {
      const count: number = Reflect.apply(readSync, nodefs, parameters)
      change()

      return count
    }
  }

  const changes: Array<[what: string, change: () => void]> = [
    ['grows', () => { nodefs.appendFileSync(file, 'more') }],
    ['shrinks', () => { nodefs.truncateSync(file, 3) }],
    ['gets other content of the same size', () => { nodefs.writeFileSync(file, 'CONTENT') }],
    ['gets other content of the same size, and its time back', () => {
      nodefs.writeFileSync(file, 'CONTENT')
      nodefs.utimesSync(file, 1_000_000, 1_000_000)
    }]
  ]

  changes.forEach(([what, change]) => {
    it(`refuses a small file that ${what} while it is read`, () => {
      const before = openDescriptors(nodefs)
      afterRead(change)

      expect(() => read()).to.throw().with.include({ name: 'SourceChangedError', path: file })
      expect(openDescriptors(nodefs)).to.equal(before)
    })
  })

  it('refuses a large file whose content changed but not its size and time', async () => {
    const stamp = (fill: number): void => {
      nodefs.writeFileSync(file, new Uint8Array(2 * pieceBytes).fill(fill))
      nodefs.utimesSync(file, 1_000_000, 1_000_000)
    }
    stamp(0)
    const found = nodefs.lstatSync(file, { bigint: true })
    const reading = (async () => {
      for await (const { byteLength } of readInPieces(file, found, new PieceMemory())) {
        expect(byteLength).to.equal(pieceBytes)
        stamp(1)
      }
    })()

    await expect(reading).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: file })
  })

  it('stops reading a file that grows while it is read', async () => {
    nodefs.writeFileSync(file, new Uint8Array(2 * pieceBytes))
    const found = nodefs.lstatSync(file, { bigint: true })
    let pieces = 0
    const reading = (async () => {
      for await (const { byteLength } of readInPieces(file, found, new PieceMemory())) {
        expect(byteLength).to.be.above(0)
        nodefs.appendFileSync(file, 'more')
        expect(++pieces).to.be.below(10)
      }
    })()

    await expect(reading).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: file })
  })

  it('follows no link that replaces a file, large or small', async () => {
    const link = join(directory, 'link')
    nodefs.symlinkSync('file', link)
    const found = nodefs.statSync(file, { bigint: true })

    expect(() => read(link)).to.throw().with.include({ name: 'SourceChangedError', path: link })
    await expect(readInPieces(link, found, new PieceMemory()).next()).to.eventually.be.rejected.with.include({ name: 'SourceChangedError', path: link })
  })
})
