import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unixfs } from '@helia/unixfs'
import { profileOptions } from '../src/contenders/profile-options.ts'
import { keystream } from '../src/corpora/keystream.ts'
import type { ImportCandidate } from 'ipfs-unixfs-importer'
import type { CID } from 'multiformats/cid'

// the fixtures that IPIP-499 publishes for the profile unixfs-v1-2025, under
// the very options that the Helia contenders run with

const FILES = [
  { seed: 'chunk-v1-seed', bytes: 1_048_576, cid: 'bafkreiacndfy443ter6qr2tmbbdhadvxxheowwf75s6zehscklu6ezxmta' },
  { seed: 'chunk-v1-seed', bytes: 1_048_577, cid: 'bafybeigmix7t42i6jacydtquhet7srwvgpizfg7gjbq7627d35mjomtu64' },
  { seed: 'v1-2025-seed', bytes: 1024 * 2 ** 20, cid: 'bafybeihmf37wcuvtx4hpu7he5zl5qaf2ineo2lqlfrapokkm5zzw7zyhvm' },
  { seed: 'v1-2025-seed', bytes: 1024 * 2 ** 20 + 1, cid: 'bafybeibdsi225ugbkmpbdohnxioyab6jsqrmkts3twhpvfnzp77xtzpyhe' }
]

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz01234567890-_'
const NAMES = 4_766
const NAME_LENGTH = 11

const DIRECTORIES = [
  { lastNameLength: 21, cid: 'bafybeic3h7rwruealwxkacabdy45jivq2crwz6bufb5ljwupn36gicplx4', form: 'one block' },
  { lastNameLength: 22, cid: 'bafybeiegvuterwurhdtkikfhbxcldohmxp566vpjdofhzmnhv6o4freidu', form: 'a HAMT' }
]

/**
 * Forgets what is put, so that 1 GiB takes no memory
 */
const blackHole = { put: async (cid: CID): Promise<CID> => cid }

/**
 * Adds entries and returns their CIDs by path, the directory around all as ''
 */
async function add (entries: Iterable<ImportCandidate>): Promise<Map<string, string>> {
  const cids = new Map<string, string>()
  // adding only ever puts
  const fs = unixfs({ blockstore: blackHole as unknown as Parameters<typeof unixfs>[0]['blockstore'] })

  for await (const { path = '', cid } of fs.addAll(entries, profileOptions())) {
    cids.set(path, cid.toString())
  }

  return cids
}

function names (lastNameLength: number): string[] {
  const letters = [...keystream('hamt-unixfs-v1-2025', 2 ** 20)].flatMap(piece => [...piece].map(byte => ALPHABET[byte % ALPHABET.length])).join('')

  return Array.from({ length: NAMES }, (_, index) => {
    const start = index * NAME_LENGTH

    return letters.slice(start, start + (index === NAMES - 1 ? lastNameLength : NAME_LENGTH))
  })
}

describe('Helia under the options of the benchmark gives the CIDs of IPIP-499', () => {
  it('for "hello world"', async () => {
    const cids = await add([{ path: 'file', content: new TextEncoder().encode('hello world') }])

    assert.equal(cids.get('file'), 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e')
  })

  for (const { seed, bytes, cid } of FILES) {
    it(`for a file of ${bytes} bytes from ${seed}`, async () => {
      const cids = await add([{ path: 'file', content: keystream(seed, bytes) }])

      assert.equal(cids.get('file'), cid)
    })
  }

  for (const { lastNameLength, cid, form } of DIRECTORIES) {
    it(`for a directory that just makes ${form}`, async () => {
      const content = new TextEncoder().encode('x')
      const cids = await add(names(lastNameLength).map(path => ({ path, content })))

      assert.equal(cids.get(''), cid)
    })
  }
})
