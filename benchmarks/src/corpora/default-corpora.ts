import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'
import { generateTree } from './generate-tree.ts'
import type { Corpus } from './corpus.ts'
import type { TreeShape } from './plan-tree.ts'

/**
 * Small enough for the slowest contender, and with all that importers get wrong
 */
export const GENERATED: TreeShape = {
  files: 240,
  bytes: 8 * 2 ** 20,
  depth: 5,
  duplicates: 0.1,
  seed: 'dagfs/add-dir/1'
}

const makers: Readonly<Record<string, (directory: string) => Promise<Corpus>>> = {
  src: async () => ({ name: 'src', directory: fileURLToPath(new URL('../src', packageRoot)) }),
  dist: async () => ({ name: 'dist', directory: fileURLToPath(new URL('../dist', packageRoot)) }),
  generated: async parent => {
    const directory = join(parent, 'generated')

    await generateTree(directory, GENERATED)

    return { name: 'generated', directory }
  }
}

export const defaultCorpusNames: readonly string[] = Object.keys(makers)

/**
 * Makes a default corpus ready; what has to be written goes into `parent`.
 */
export async function makeDefaultCorpus (name: string, parent: string): Promise<Corpus> {
  if (!Object.hasOwn(makers, name)) {
    throw new Error(`there is no corpus ${name}; there are ${defaultCorpusNames.join(', ')}`)
  }

  return makers[name](parent)
}
