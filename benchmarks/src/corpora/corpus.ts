import { lstat, readdir } from 'node:fs/promises'
import { walk } from './walk.ts'

export interface Corpus {
  readonly name: string
  readonly directory: string
}

/**
 * What the report says of a corpus, and what decides who can carry it
 */
export interface CorpusDescription extends Corpus {
  readonly files: number
  readonly directories: number
  readonly links: number
  readonly bytes: number
  readonly largestFileBytes: number
  /**
   * What the dag-pb block of the widest directory can have at most
   */
  readonly largestDirectoryBlockBytes: number
}

/**
 * A link in a dag-pb block: two lengths and tags, a CIDv1 with sha2-256, its
 * own length and tag, the name's, and a size of up to 2^42
 */
const DAG_PB_LINK_BYTES_BESIDE_NAME = 3 + 2 + 36 + 3 + 7

export async function describeCorpus ({ name, directory }: Corpus): Promise<CorpusDescription> {
  const total = { files: 0, directories: 0, links: 0, bytes: 0, largestFileBytes: 0 }
  let largestDirectoryBlockBytes = directoryBlockBytes(await readdir(directory))

  for await (const entry of walk(directory)) {
    if (entry.kind === 'directory') {
      total.directories++
      largestDirectoryBlockBytes = Math.max(largestDirectoryBlockBytes, directoryBlockBytes(entry.children))
    } else if (entry.kind === 'link') {
      total.links++
    } else {
      const { size } = await lstat(entry.hostPath)

      total.files++
      total.bytes += size
      total.largestFileBytes = Math.max(total.largestFileBytes, size)
    }
  }

  return { name, directory, ...total, largestDirectoryBlockBytes }
}

function directoryBlockBytes (names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Buffer.byteLength(name) + DAG_PB_LINK_BYTES_BESIDE_NAME, 0)
}
