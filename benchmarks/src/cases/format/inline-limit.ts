import { hash } from 'node:crypto'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { mean } from 'simple-statistics'
import { SeededRandom, keystream } from '../../corpora/keystream.ts'
import { CountingStore } from '../../harness/counting-store.ts'
import { decodeDirectory, isLeaf } from './internals.ts'
import { layoutOf } from './layout.ts'
import type { Block } from './internals.ts'
import type { CID } from 'multiformats/cid'

export interface InlineLimitRow {
  readonly inlineBytes: number
  readonly root: string
  readonly blocks: number
  readonly bytes: number
  readonly directoryBytes: number
  readonly meanDirectoryBlockBytes: number
  readonly edits: number
  /**
   * What a commit of one changed file writes on average, the file's own bytes
   * included
   */
  readonly editBytes: number
  /**
   * The blocks of directories among them
   */
  readonly editDirectoryBytes: number
  /**
   * Bytes of inlined files that are in another entry already
   */
  readonly duplicateBytes: number
}

const DAG_CBOR = 0x71
const CBOR_MAP = 5

/**
 * Imports a directory under an inline limit, counts what is stored, and edits
 * files of it, each on its own.
 */
export async function measureInlineLimit (directory: string, inlineBytes: number, edits: number, seed: string): Promise<InlineLimitRow> {
  const store = new CountingStore()
  // nothing spills, so that every block that is written is reachable
  const fs = dagfs({ blockstore: store }, { layout: layoutOf(inlineBytes), draftBytes: Number.MAX_SAFE_INTEGER })

  await importDirectory(fs, directory)

  const { root } = await fs.commit()
  const { blocks } = store
  const directories = blocks.filter(isDirectory)
  const written = await measureEdits(store, root, inlineBytes, edits, seed)

  return {
    inlineBytes,
    root: root.toString(),
    blocks: blocks.length,
    bytes: bytesOf(blocks),
    directoryBytes: bytesOf(directories),
    meanDirectoryBlockBytes: bytesOf(directories) / directories.length,
    edits,
    editBytes: mean(written.map(edit => bytesOf(edit))),
    editDirectoryBytes: mean(written.map(edit => bytesOf(edit.filter(isDirectory)))),
    duplicateBytes: duplicatedBytes(directories)
  }
}

/**
 * Each edit gives one file, drawn at random, other bytes of the same length, at
 * least one, over the same root; returns what each of them wrote.
 */
async function measureEdits (store: CountingStore, root: CID, inlineBytes: number, edits: number, seed: string): Promise<Block[][]> {
  const files: Array<{ path: string, size: number }> = []
  const random = new SeededRandom(`${seed}/edits`)
  const written: Block[][] = []

  for await (const { kind, path, size } of dagfs({ blockstore: store }).at(root).walk()) {
    if (kind === 'file') {
      files.push({ path, size })
    }
  }

  for (let edit = 0; edit < edits; edit++) {
    const { path, size } = files[random.below(files.length)]
    const overlay = new CountingStore(store)
    const fs = dagfs({ blockstore: overlay }, { root, layout: layoutOf(inlineBytes) })

    await fs.addAll([{ path, content: keystream(`${seed}/edit/${edit}`, Math.max(1, size)) }])

    const { root: edited } = await fs.commit()

    if (edited.equals(root)) {
      throw new Error(`an edit of ${path} changed nothing`)
    }

    written.push(overlay.blocks)
  }

  return written
}

/**
 * Indexes of files are dag-cbor too, but lists
 */
function isDirectory ({ cid, bytes }: Block): boolean {
  return cid.code === DAG_CBOR && bytes[0] >> 5 === CBOR_MAP
}

function bytesOf (blocks: readonly Block[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
}

/**
 * Directories that are equal are one block, and counted once
 */
function duplicatedBytes (directories: readonly Block[]): number {
  const seen = new Set<string>()
  let duplicated = 0

  for (const block of directories) {
    const node = decodeDirectory(block)

    for (const { content } of isLeaf(node) ? node.entries : []) {
      if (!(content instanceof Uint8Array)) {
        continue
      }

      const key = hash('sha256', content, 'base64')

      duplicated += seen.has(key) ? content.byteLength : 0
      seen.add(key)
    }
  }

  return duplicated
}
