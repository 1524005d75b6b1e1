import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagCborCode, decodeDirectory, encodeEntry, encodeLeaf } from '../../src/codec/index.ts'
import { dagfs } from '../../src/index.ts'
import { nameFault } from '../../src/path.ts'
import { anyCid, refusal } from '../codec/refusal.ts'
import { inlined } from '../directory/directories.ts'
import type { Attributes, Entry } from '../../src/codec/index.ts'
import type { AddedEntry } from '../../src/index.ts'

const encoder = new TextEncoder()
const lone = String.fromCharCode(0xd800)

/** Names that no entry has, and the code of a call that is given one. A path has no segment with a slash. */
const names: ReadonlyArray<readonly [name: string, code: string | undefined]> = [
  ['', 'ENOENT'], ['..', 'EINVAL'], ['a\0b', 'EINVAL'], [`a${lone}`, 'EINVAL'], ['a'.repeat(256), 'ENAMETOOLONG'], ['é'.repeat(128), 'ENAMETOOLONG'],
  ['.', undefined], ['a/b', undefined]
]

const targets = ['', 'a\0b', lone, 'a'.repeat(4_097)]

const attributes: ReadonlyArray<readonly [what: string, attributes: Attributes]> = [
  ['a mode over 0o7777', { mode: 0o10000 }],
  ['an empty meta', { meta: {} }],
  ['a float in meta', { meta: { a: 1.5 } }],
  ['meta of 4,097 bytes', { meta: { a: new Uint8Array(4_097 - 6) } }],
  ['nanoseconds of a second', { mtime: [0, 1_000_000_000] }]
]

async function addFault (...entries: AddedEntry[]): Promise<string> {
  const fs = dagfs({ blockstore: new MemoryBlockstore() })

  return fs.addAll(entries).then(() => 'none', ({ name, code }) => `${name} ${code}`)
}

function encodeFault (entry: Entry): string | undefined {
  return refusal(() => { encodeEntry(entry) }, { cid: anyCid(dagCborCode), bytes: new Uint8Array(0) })
}

/** What reading a leaf says whose one entry has a name of some bytes. */
function readFault (name: Uint8Array): string | undefined {
  const { bytes } = { bytes: encodeLeaf([Uint8Array.of(0x84, ...textHead(name.byteLength), ...name, 0x61, 0x66, 0x40, 0x00)]) }

  return refusal(decodeDirectory, { cid: anyCid(dagCborCode), bytes })
}

function textHead (length: number): number[] {
  const short = length < 24 ? [0x60 + length] : [0x78, length]

  return length < 256 ? short : [0x79, length >> 8, length & 255]
}

describe('names, targets and attributes that no entry may have', () => {
  it('are refused by the codec with InvalidNodeError: names', () => {
    for (const [name] of names) {
      expect(nameFault(name), name).to.be.a('string')
      expect(encodeFault({ ...inlined('x', 1), name }), name).to.equal('InvalidNodeError')
    }

    for (const name of names.map(([bad]) => encoder.encode(bad)).filter(bytes => !bytes.includes(0xef))) {
      expect(readFault(name), String(name)).to.equal('InvalidNodeError')
    }

    expect(readFault(Uint8Array.of(0xed, 0xa0, 0x80))).to.equal('InvalidNodeError')
    expect(readFault(encoder.encode('a'.repeat(255)))).to.equal(undefined)
  })

  it('are refused by addAll with FileSystemError: names', async () => {
    for (const [name, code] of names.filter(row => row[1] !== undefined)) {
      expect(await addFault({ path: name, content: '' }), name).to.equal(`FileSystemError ${code}`)
      expect(await addFault({ path: name, kind: 'symlink', target: 'a' }), name).to.equal(`FileSystemError ${code}`)
    }
  })

  it('are refused by both: targets', async () => {
    for (const target of targets) {
      expect(encodeFault({ name: 'a', kind: 'symlink', content: target, size: encoder.encode(target).byteLength }), target).to.equal('InvalidNodeError')
      expect(await addFault({ path: 'a', kind: 'symlink', target }), target).to.equal('FileSystemError EINVAL')
    }
  })

  for (const [what, given] of attributes) {
    it(`are refused by both: ${what}`, async () => {
      expect(encodeFault({ ...inlined('a', 1), attributes: given })).to.equal('InvalidNodeError')
      expect(await addFault({ path: 'a', content: '', ...given })).to.equal('FileSystemError EINVAL')
      expect(await addFault({ path: 'a', kind: 'directory', ...given })).to.equal('FileSystemError EINVAL')
    })
  }

  it('are refused by both: a mode on a symbolic link', async () => {
    expect(encodeFault({ name: 'a', kind: 'symlink', content: 'b', size: 1, attributes: { mode: 0o644 } })).to.equal('InvalidNodeError')
  })
})
