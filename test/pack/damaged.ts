import { basename } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { endOf, readHead } from '../../src/pack/format/section.ts'
import { PackBlockstore } from '../../src/pack/index.ts'
import { below } from '../seed.ts'
import { carOf } from './cars.ts'
import { FaultyFiles } from './faulty-files.ts'
import { temporaryDirectory } from './in-temporary.ts'
import { blocks, putAll, readBlock } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { InternalOptions } from '../../src/pack/options.ts'

/** A store before it is damaged: its segments in memory, its index in a directory */
export interface Healthy {
  readonly files: FaultyFiles
  readonly indexDirectory: string
  readonly options: InternalOptions
  /** What it holds */
  readonly put: readonly TestBlock[]
  /** Where the last record begins, which vouches for nothing new */
  readonly lastRecord: { readonly path: string, readonly offset: number }
}

const blocksPerRoot = 8
const rootCount = 6

/** Makes a store of several sessions, with six roots of eight blocks each, and collects garbage in between. */
export async function healthy (options: InternalOptions): Promise<Healthy> {
  const indexDirectory = await temporaryDirectory()
  const files = new FaultyFiles()
  const put = await blocks(rootCount * blocksPerRoot, 600)
  // collected after the fourth root
  const garbage = await blocks(8, 600, 1_000)

  for (let session = 0; session < 3; session++) {
    const store = new PackBlockstore(indexDirectory, { ...options, files })
    await store.open()

    for (const root of [session * 2 + 1, session * 2 + 2]) {
      await putAll(store, [...blocksOf(root, put), ...garbage.slice((root - 1) * 2, root * 2)])
      await store.roots.compareAndSet('main', root === 1 ? undefined : Uint8Array.of(root - 1), Uint8Array.of(root))
    }

    if (session === 1) {
      await store.gc({ roots: put.map(({ cid }) => cid), links: () => [] })
    }

    await store.close()
  }

  const kept = files.movedTo(indexDirectory, '/')

  return { files: kept, indexDirectory, options, put, lastRecord: lastRecordOf(kept) }
}

/** The blocks that came with a root */
function blocksOf <T> (root: number, put: readonly T[]): T[] {
  return put.slice((root - 1) * blocksPerRoot, root * blocksPerRoot)
}

function segmentsOf (files: FaultyFiles): Array<[path: string, bytes: Uint8Array]> {
  return [...files.contents()].filter(([path]) => path.endsWith('.car')).sort(([a], [b]) => a < b ? -1 : 1)
}

function lastRecordOf (files: FaultyFiles): Healthy['lastRecord'] {
  const [path, bytes] = segmentsOf(files).at(-1) ?? expect.fail('there is no segment')
  const head = Buffer.from(bytes).lastIndexOf('dagfs-commit')
  // before the map of one key stand the section's length and the CID of 36 bytes
  const offset = Array.from({ length: 5 }, (_, i) => head - 2 - 36 - 1 - i).find(at => {
    const section = readHead(bytes, at, 0)

    return section !== undefined && section.dataOffset === head - 2 && endOf(section) === bytes.byteLength
  })

  return { path, offset: offset ?? expect.fail('the log does not end with a record') }
}

export type DamageKind = 'none' | 'flip' | 'zeros' | 'noise' | 'truncated' | 'cut out' | 'swapped' | 'segment deleted' | 'segments swapped'

export const damageKinds: readonly DamageKind[] = ['flip', 'flip', 'flip', 'zeros', 'noise', 'truncated', 'cut out', 'swapped', 'segment deleted', 'segments swapped', 'none']

/** Damages files in one of many ways. */
export function damage (files: FaultyFiles, kind: DamageKind, next: () => number): void {
  const segments = segmentsOf(files)
  const [path, content] = segments[below(next, segments.length)]
  const [other, otherContent] = segments[below(next, segments.length)]
  const bytes = content.slice()
  const at = below(next, bytes.byteLength)
  const length = 1 + below(next, [8, 512, 4_096][below(next, 3)])

  switch (kind) {
    case 'flip':
      for (let left = [1, 1, 1, 3, 20][below(next, 5)], position = at; left > 0; left--, position = below(next, bytes.byteLength)) {
        bytes[position] ^= 1 << below(next, 8)
      }
      files.set(path, bytes)
      return
    case 'zeros':
      files.set(path, bytes.fill(0, at, at + length))
      return
    case 'noise':
      files.set(path, bytes.map((byte, i) => i >= at && i < at + length ? below(next, 256) : byte))
      return
    case 'truncated':
      files.set(path, bytes.subarray(0, at))
      return
    case 'cut out':
      files.set(path, Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + length)]))
      return
    case 'swapped': {
      const to = below(next, bytes.byteLength)
      const piece = bytes.slice(at, at + length)
      bytes.copyWithin(at, to, to + length)
      bytes.set(piece.subarray(0, bytes.byteLength - to), to)
      files.set(path, bytes)
      return
    }
    case 'segment deleted':
      files.remove(path)
      break
    case 'segments swapped':
      files.set(path, otherContent)
      files.set(other, content)
      break
    default:
      // nothing, so that a false alarm is seen
  }
}

/** Where segments differ from what they were: before the last record, in it, or both */
interface Changed {
  readonly before: boolean
  readonly last: boolean
}

function changesOf (files: FaultyFiles, { files: original, lastRecord }: Healthy): Changed {
  const now = new Map([...files.contents()].map(([path, bytes]) => [`/${basename(path)}`, bytes]))
  const result = { before: false, last: false }

  for (const [path, bytes] of segmentsOf(original)) {
    const end = path === lastRecord.path ? lastRecord.offset : bytes.byteLength
    const found = now.get(path) ?? new Uint8Array(0)
    result.before ||= Buffer.compare(found.subarray(0, end), bytes.subarray(0, end)) !== 0
    result.last ||= path === lastRecord.path && Buffer.compare(found.subarray(end), bytes.subarray(end)) !== 0
    // a segment that went on behind its end
    result.before ||= path !== lastRecord.path && found.byteLength !== bytes.byteLength
  }

  return result
}

const readFailures = ['ERR_BLOCK_MISMATCH', 'ERR_CORRUPT_STORE', 'ERR_NOT_FOUND']

/** The bytes of a block, or undefined where they cannot be read: never others. */
async function readOrFail (store: PackBlockstore, { cid, bytes }: TestBlock): Promise<Uint8Array | undefined> {
  try {
    const found = await readBlock(store, cid)
    expect(Buffer.compare(found, bytes), 'bytes that were read').to.equal(0)

    return found
  } catch (err) {
    if (err instanceof Error && err.name === 'AssertionError') {
      throw err
    }

    expect(err).to.have.property('code').that.is.oneOf(readFailures)
  }
}

async function isOpened (store: PackBlockstore): Promise<boolean> {
  try {
    await store.open()

    return true
  } catch (err) {
    expect(err).to.have.property('code').that.is.oneOf(['ERR_CORRUPT_STORE', 'ERR_NOT_FOUND'])

    return false
  }
}

/**
 * Opens a damaged store, reads every block that was put, and verifies it. No read gives a wrong byte; all damage is found;
 * and where nothing is, nothing is damaged.
 */
export async function examine (files: FaultyFiles, directory: string, healthy: Healthy, { readonly, hasIndex }: { readonly: boolean, hasIndex: boolean }): Promise<void> {
  const { options, put } = healthy
  const changed = changesOf(files, healthy)
  const store = new PackBlockstore(directory, { ...options, readonly, files })

  if (!await isOpened(store)) {
    expect(changed.before || (changed.last && hasIndex), 'only a damaged store is refused').to.equal(true)

    return
  }

  try {
    const lost: TestBlock[] = []

    for (const block of put) {
      if (await readOrFail(store, block) === undefined) {
        lost.push(block)
      }
    }

    const { problems } = await store.verify()
    const root = (await store.roots.get('main'))?.[0] ?? 0

    if (!changed.before) {
      // the roots stand in the record before as well
      expect(lost, 'blocks that cannot be read').to.deep.equal([])
      expect(root).to.equal(rootCount)
      expect(problems, 'a false alarm').to.deep.equal([])
    } else if (!changed.last) {
      expect(problems, 'damage that verify has not found').to.not.deep.equal([])
      expect(root).to.equal(rootCount)
    }

    if (problems.length === 0) {
      // the end of the log is gone, and what is left is what was there before
      const lostKeys = new Set(lost.map(({ cid }) => String(cid)))
      const missing = Array.from({ length: root }, (_, i) => blocksOf(i + 1, put)).flat().filter(({ cid }) => lostKeys.has(String(cid)))
      expect(missing, `blocks of root ${root}`).to.deep.equal([])
    } else if (hasIndex && !changed.last) {
      const named = new Set(problems.flatMap(({ cid }) => cid === undefined ? [] : [String(cid)]))
      expect(lost.filter(({ cid }) => !named.has(String(cid))), 'blocks that verify has not named').to.deep.equal([])
    }
  } finally {
    await store.close()
  }
}

/** Ways to make a store whole again */
export const remedies = ['another store', 'a CAR', 'putting again'] as const

/**
 * Makes a damaged store whole and reads everything. Whoever puts again restores all; another source restores what the
 * store knows that it has had.
 */
export async function heal (files: FaultyFiles, directory: string, healthy: Healthy, { remedy, hasIndex }: { remedy: typeof remedies[number], hasIndex: boolean }): Promise<void> {
  const { options, put } = healthy
  const isAllKnown = remedy === 'putting again' || (hasIndex && !changesOf(files, healthy).last)
  const store = new PackBlockstore(directory, { ...options, files })

  if (!await isOpened(store)) {
    return
  }

  try {
    if (remedy === 'putting again') {
      await putAll(store, put)
      await store.verify({ drop: true })
    } else {
      // without its index, a store takes what damage has made of a CID for a block that nobody has
      await store.verify({ heal: remedy === 'a CAR' ? carOf(put) : storeOf(put), drop: !isAllKnown })
    }

    expect((await store.verify()).problems).to.deep.equal([])

    for (const { cid, bytes } of put) {
      if (isAllKnown || await store.has(cid)) {
        expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
      }
    }
  } finally {
    await store.close()
  }
}

function storeOf (put: readonly TestBlock[]): MemoryBlockstore {
  const source = new MemoryBlockstore()
  put.forEach(({ cid, bytes }) => { source.put(cid, bytes) })

  return source
}
