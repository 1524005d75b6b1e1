import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dagfs } from 'dagfs'
import { importDirectory } from 'dagfs/host'
import { PackBlockstore } from 'dagfs/pack'
import { keystream } from '../../corpora/keystream.ts'
import { timePhases } from '../../harness/phases.ts'
import { rootOf } from './root-of.ts'
import { rowOf } from './row.ts'
import type { ReimportRow } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { TimedPhase } from '../../harness/phases.ts'

/**
 * Contents of the tree whose files are alike
 */
const CONTENTS = 10
const FILES_PER_DIRECTORY = 100
/**
 * Of the smallest of the ten sizes, above what a directory holds itself; the others are its multiples
 */
const LEAST_BYTES = 4_096
/**
 * One import takes so little time that fewer do not tell the two apart
 */
const LEAST_SAMPLES = 40

interface EqualContentsOptions {
  readonly iterations: number
  /**
   * In each of the two trees
   */
  readonly equalFiles: number
}

interface Tree {
  readonly key: string
  readonly what: string
  /**
   * The number of the content that a file has
   */
  contentOf(file: number): number
}

/**
 * Imports two trees of the same names and sizes into an empty pack store, in
 * turn: one whose files are all different, and one with ten contents in all.
 */
export async function measureEqualContents (directory: string, { iterations, equalFiles }: EqualContentsOptions, { progress, signal }: Pick<RunContext, 'progress' | 'signal'>): Promise<ReimportRow[]> {
  const trees: readonly Tree[] = [
    { key: 'unique', what: `importDirectory of ${equalFiles} files, no two of them equal, into an empty store, and commit`, contentOf: file => file },
    { key: 'repeated', what: `the same of ${equalFiles} files of the same sizes that have ${CONTENTS} contents in all`, contentOf: file => file % CONTENTS }
  ]
  const opened: PackBlockstore[] = []
  const phases: TimedPhase[] = []

  try {
    for (const tree of trees) {
      progress(`making ${equalFiles} files, ${tree.key}`)

      const source = join(directory, tree.key)

      await writeTree(source, equalFiles, tree)
      phases.push(importing(tree.key, source, await rootOf(source, false), join(directory, `${tree.key}-store`), opened))
    }

    const outcomes = await timePhases(phases, Math.max(iterations, LEAST_SAMPLES), { progress, signal })

    return trees.map(({ key, what }) => rowOf({ key, what, touched: equalFiles, durable: true }, outcomes.get(key) ?? { rawMs: [] }))
  } finally {
    await Promise.all(opened.map(async store => store.close()))
  }
}

/**
 * Imports into a store that is new each time; the one before is closed and removed outside of the clock.
 */
function importing (key: string, source: string, root: string, place: string, opened: PackBlockstore[]): TimedPhase {
  let store = new PackBlockstore(place)

  return {
    key,
    async prepare () {
      if (opened.includes(store)) {
        opened.splice(opened.indexOf(store), 1)
        await store.close()
      }

      await rm(place, { recursive: true, force: true })
      store = new PackBlockstore(place)
      await store.open()
      opened.push(store)
    },
    async run () {
      const fs = dagfs({ blockstore: store })

      await importDirectory(fs, source)

      const { root: made } = await fs.commit()

      if (made.toString() !== root) {
        throw new Error(`${key} gave ${made}, and ${root} in memory`)
      }
    }
  }
}

/**
 * A file's size goes with its number, in both trees, and not with its content.
 */
async function writeTree (source: string, files: number, { contentOf }: Tree): Promise<void> {
  for (let file = 0; file < files; file++) {
    const parent = join(source, `d${Math.floor(file / FILES_PER_DIRECTORY)}`)

    if (file % FILES_PER_DIRECTORY === 0) {
      await mkdir(parent, { recursive: true })
    }

    await writeFile(join(parent, `${file}.bin`), keystream(`dagfs/reimport/equal/${contentOf(file)}`, LEAST_BYTES * (1 + file % CONTENTS)))
  }
}
