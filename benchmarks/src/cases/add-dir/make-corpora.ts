import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { copyTree, withoutDuplicates, withoutLinks } from '../../corpora/copy-tree.ts'
import { describeCorpus } from '../../corpora/corpus.ts'
import { makeDefaultCorpus } from '../../corpora/default-corpora.ts'
import { resolveGiven } from '../../harness/resolve-given.ts'
import type { AddDirOptions } from './options.ts'
import type { Keep } from '../../corpora/copy-tree.ts'
import type { Corpus, CorpusDescription } from '../../corpora/corpus.ts'

/**
 * What the name of a corpus has behind it that has no files of equal content
 */
export const withoutDuplicatesName = '(without duplicates)'

/**
 * Makes the corpora of a run ready, writing into `parent` alone.
 */
export async function makeCorpora ({ testPaths, corpora, unique, noLinks }: AddDirOptions, parent: string): Promise<CorpusDescription[]> {
  const directory = await mkdtemp(join(parent, 'corpora-'))
  const made = testPaths.length > 0
    ? await Promise.all(testPaths.map(givenCorpus))
    : await Promise.all(corpora.map(async name => makeDefaultCorpus(name, directory)))
  const descriptions = []

  for (const corpus of made) {
    descriptions.push(await describeCorpus(corpus))

    if (unique) {
      descriptions.push(await describeCorpus(await twin(corpus, withoutDuplicatesName, withoutDuplicates(), directory)))
    }

    if (noLinks) {
      descriptions.push(await describeCorpus(await twin(corpus, '(without links)', withoutLinks(), directory)))
    }
  }

  return descriptions
}

async function givenCorpus (path: string): Promise<Corpus> {
  const directory = resolveGiven(path)

  if (!(await stat(directory)).isDirectory()) {
    throw new Error(`not a directory: ${path}`)
  }

  return { name: path, directory }
}

async function twin ({ name, directory }: Corpus, what: string, keep: Keep, parent: string): Promise<Corpus> {
  const target = join(await mkdtemp(join(parent, 'twin-')), 'tree')

  await copyTree(directory, target, keep)

  return { name: `${name} ${what}`, directory: target }
}
