import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'
import { copyTree, whole } from './copy-tree.ts'
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

const makers: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  src: async directory => copyOfOurs('src', directory),
  dist: async directory => copyOfOurs('dist', directory),
  generated: async directory => generateTree(directory, GENERATED)
}

export const defaultCorpusNames: readonly string[] = Object.keys(makers)

/**
 * Makes a default corpus ready in a new directory inside of `parent`.
 */
export async function makeDefaultCorpus (name: string, parent: string): Promise<Corpus> {
  if (!Object.hasOwn(makers, name)) {
    throw new Error(`there is no corpus ${name}; there are ${defaultCorpusNames.join(', ')}`)
  }

  const directory = join(parent, name)

  await makers[name](directory)

  return { name, directory }
}

/**
 * A copy stays the same while somebody works on the package
 */
async function copyOfOurs (name: string, directory: string): Promise<void> {
  await copyTree(fileURLToPath(new URL(`../${name}`, packageRoot)), directory, whole())
}
