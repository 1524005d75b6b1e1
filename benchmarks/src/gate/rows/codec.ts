import type { GateRow, OpenRow } from './row.ts'

const ENTRIES = 1_000
const DECODED = 2
const LOOKED_UP = 100

type Work = 'encode' | 'decode' | 'look-up' | 'property'

/**
 * The block of a directory with 1,000 entries: made, decoded, looked up in, and one value of its last entry read in place
 */
export function codecRow (work: Work): GateRow {
  return {
    key: `codec / directory of ${ENTRIES} / ${work}`,
    isThreaded: false,
    open: async () => (await openAll())[work]
  }
}

async function openAll (): Promise<Readonly<Record<Work, OpenRow>>> {
  const [{ createBlock, dagCborCode, decodeDirectory, encodeEntry, encodeLeaf, findInDirectory, readProperty }, { linkedEntries, numberedName }] = await Promise.all([
    import('../../cases/codec/internals.ts'),
    import('../../cases/format/entries.ts')
  ])
  const names = Array.from({ length: ENTRIES }, (_, index) => numberedName(index))
  const entries = names.map(linkedEntries())
  const encode = (): Uint8Array => encodeLeaf(entries.map(encodeEntry))
  const block = await createBlock(dagCborCode, encode())

  return {
    encode: {
      run: async () => (await createBlock(dagCborCode, encode())).cid.toString()
    },
    decode: {
      async run () {
        let found = 0

        for (let round = 0; round < DECODED; round++) {
          const node = decodeDirectory(block)

          found += 'entries' in node ? node.entries.length : 0
        }

        return `${found} entries`
      }
    },
    'look-up': {
      async run () {
        let found = 0

        for (let index = 0; index < LOOKED_UP; index++) {
          // 389 is prime to 1,000, so that names come from all over the block
          const answer = findInDirectory(block, names[index * 389 % ENTRIES])

          found += 'entry' in answer && answer.entry != null ? 1 : 0
        }

        return `${found} entries`
      }
    },
    property: {
      async run () {
        let size = 0

        for (let index = 0; index < LOOKED_UP; index++) {
          // a directory's block is { dir: [[name, kind, content, size], …] }
          size += Number(readProperty(block, ['dir', index * 389 % ENTRIES, 3]))
        }

        return `${size} bytes`
      }
    }
  }
}
