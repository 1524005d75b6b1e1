import nodefs from 'node:fs'
import { join } from 'node:path'
import * as dagCbor from '@ipld/dag-cbor'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import fc from 'fast-check'
import { exportDirectory } from '../../../src/adapters/host/index.ts'
import { createBlock, dagCborCode } from '../../../src/codec/index.ts'
import { dagfs } from '../../../src/index.ts'
import type { CID } from 'multiformats/cid'

/** An entry of a tree that no writer of ours would make: any name, in any order, as often as one likes */
type HostileEntry =
  | { readonly kind: 'file', readonly name: string }
  | { readonly kind: 'symlink', readonly name: string, readonly target: string }
  | { readonly kind: 'directory', readonly name: string, readonly entries: readonly HostileEntry[] }

interface HostileTree {
  readonly entries: readonly HostileEntry[]
  /** Whether names are sorted and told apart, so that the tree is refused for nothing but what is in it */
  readonly isOrdered: boolean
}

const harmless = fc.constantFrom('a', 'b', 'c', 'd')
const hostileName = fc.oneof(
  { weight: 12, arbitrary: harmless },
  { weight: 1, arbitrary: fc.constantFrom('..', '.', '', '/', '../a', 'a/b', '/etc', 'a\0b', 'x'.repeat(256), '..\\a', '\u202egnp.exe', '\n') }
)
const target = fc.oneof(
  fc.array(fc.constantFrom('..', '.', 'a', 'b', 'c', 'd', ''), { minLength: 1, maxLength: 5 }).map(segments => segments.join('/')).filter(it => it !== ''),
  fc.constantFrom('/', '/tmp', '..', '../..', 'a/../..', '../outside')
)

const { entry } = fc.letrec<{ entry: HostileEntry }>(tie => ({
  entry: fc.oneof({ depthSize: 'small' },
    fc.record({ kind: fc.constant('file' as const), name: hostileName }),
    fc.record({ kind: fc.constant('symlink' as const), name: hostileName, target }),
    fc.record({ kind: fc.constant('directory' as const), name: hostileName, entries: fc.array(tie('entry'), { maxLength: 4 }) }))
}))

export const hostileTree: fc.Arbitrary<HostileTree> = fc.record({
  entries: fc.array(entry, { maxLength: 6 }),
  isOrdered: fc.boolean()
})

/**
 * Exports a tree into `target` below a directory that has nothing else: either it is refused, or what comes of it stays
 * there, and no link leads out of it.
 */
export async function exportHostile (directory: string, tree: HostileTree): Promise<void> {
  const target = join(directory, 'target')
  const blockstore = new MemoryBlockstore()
  const root = await putTree(blockstore, tree.entries, tree.isOrdered)
  const real = nodefs.realpathSync(directory)

  try {
    await exportDirectory(dagfs({ blockstore }, { root }), target, { onUnsupported: 'skip' })
  } catch (err) {
    expect(err).to.have.property('name').that.is.oneOf(['InvalidNodeError', 'UnsupportedEntryError', 'FileSystemError'])
  }

  expect(nodefs.readdirSync(directory).filter(name => name !== 'target')).to.deep.equal([])

  for (const path of links(target)) {
    const reached = realpath(path)
    expect(reached === undefined || `${reached}/`.startsWith(`${real}/target/`), `${path} reaches ${reached}`).to.equal(true)
  }

  nodefs.rmSync(target, { recursive: true, force: true })
}

/** Encoded by hand, since our own encoder refuses what is tried here */
async function putTree (blockstore: MemoryBlockstore, entries: readonly HostileEntry[], isOrdered: boolean): Promise<CID> {
  const items: Array<[name: string, kind: string, content: unknown, size: number]> = []

  for (const entry of isOrdered ? ordered(entries) : entries) {
    if (entry.kind === 'directory') {
      items.push([entry.name, 'd', await putTree(blockstore, entry.entries, isOrdered), sizeOf(entry.entries, isOrdered)])
    } else if (entry.kind === 'symlink') {
      items.push([entry.name, 'l', entry.target, Buffer.byteLength(entry.target)])
    } else {
      items.push([entry.name, 'f', Uint8Array.of(120), 1])
    }
  }

  const { cid, bytes } = await createBlock(dagCborCode, dagCbor.encode({ dir: items }))
  await blockstore.put(cid, bytes)

  return cid
}

function ordered (entries: readonly HostileEntry[]): HostileEntry[] {
  const byName = new Map(entries.map(entry => [entry.name, entry]))

  return [...byName.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

function sizeOf (entries: readonly HostileEntry[], isOrdered: boolean): number {
  const counted = isOrdered ? ordered(entries) : entries

  return counted.reduce((sum, entry) => sum + (entry.kind === 'directory' ? sizeOf(entry.entries, isOrdered) : Number(entry.kind === 'file')), 0)
}

/** Every link below a directory. Node's own recursive listing follows links. */
function links (directory: string): string[] {
  if (!nodefs.existsSync(directory)) {
    return []
  }

  return nodefs.readdirSync(directory, { withFileTypes: true }).flatMap(found => {
    const path = join(directory, found.name)

    if (found.isDirectory()) {
      return links(path)
    }

    return found.isSymbolicLink() ? [path] : []
  })
}

function realpath (path: string): string | undefined {
  try {
    return nodefs.realpathSync(path)
  } catch {
    return undefined
  }
}
