import { mkdtemp, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { copyUnique } from '../../corpora/copy-unique.ts'
import { describeCorpus } from '../../corpora/corpus.ts'
import { makeDefaultCorpus } from '../../corpora/default-corpora.ts'
import type { AddDirOptions } from './options.ts'
import type { Corpus, CorpusDescription } from '../../corpora/corpus.ts'

/**
 * Makes the corpora of a run ready, writing into `parent` alone.
 */
export async function makeCorpora ({ testPaths, corpora, unique }: AddDirOptions, parent: string): Promise<CorpusDescription[]> {
  const directory = await mkdtemp(join(parent, 'corpora-'))
  const made = testPaths.length > 0
    ? await Promise.all(testPaths.map(givenCorpus))
    : await Promise.all(corpora.map(async name => makeDefaultCorpus(name, directory)))
  const twins = unique ? await Promise.all(made.map(async (corpus, index) => uniqueTwin(corpus, join(directory, `unique-${index}`)))) : []

  return Promise.all([...made, ...twins].map(describeCorpus))
}

async function givenCorpus (path: string): Promise<Corpus> {
  // npm runs scripts in their package, and tells where it was started
  const directory = resolve(process.env.INIT_CWD ?? '', path)

  if (!(await stat(directory)).isDirectory()) {
    throw new Error(`not a directory: ${path}`)
  }

  return { name: path, directory }
}

async function uniqueTwin ({ name, directory }: Corpus, target: string): Promise<Corpus> {
  await copyUnique(directory, target)

  return { name: `${name} (unique)`, directory: target }
}
