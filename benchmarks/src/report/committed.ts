import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'
import { writePage } from './write-page.ts'
import type { CaseReport } from './chart.ts'

const results = new URL('results/', packageRoot)

/**
 * Reads the reports that are committed, in the order of their names.
 */
export async function readCommitted (): Promise<CaseReport[]> {
  const names = (await readdir(results)).filter(name => name.endsWith('.json')).sort()

  return Promise.all(names.map(async name => JSON.parse(await readFile(new URL(name, results), 'utf8'))))
}

/**
 * Writes the page of the committed reports, and says where it is.
 */
export async function writeCommittedPage (): Promise<string> {
  return writePage(await readCommitted(), fileURLToPath(new URL('report', packageRoot)))
}
