import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { packageRoot } from '../tools/package-root.ts'
import { sayAnswers } from './answers.ts'
import { studiedGate } from './study.ts'
import type { Comparison } from './study.ts'

const PLACE = /<!-- study: begin -->.*?<!-- study: end -->/s

/**
 * Puts what the committed study says into a text that has a place for it.
 *
 * @throws {Error} where the study is of a gate that decides otherwise
 */
export async function updateStudy (text: string): Promise<string> {
  if (!PLACE.test(text)) {
    throw new Error('the text has no place for the study, between <!-- study: begin --> and <!-- study: end -->')
  }

  const said = await sayStudy(await readFile(new URL('gate/study.jsonl', packageRoot), 'utf8'))

  return text.replace(PLACE, () => `<!-- study: begin -->\n\n${said}\n\n<!-- study: end -->`)
}

/**
 * Says what a study's file holds, as a list in Markdown.
 */
export async function sayStudy (file: string): Promise<string> {
  const [gate, ...lines] = file.split('\n').filter(line => line !== '').map(line => JSON.parse(line))

  if (!isDeepStrictEqual(gate, JSON.parse(JSON.stringify(await studiedGate())))) {
    throw new Error('gate/study.jsonl is of a gate that compares or decides otherwise: remove it, and begin one of this gate with npm run gate:study')
  }

  // a line is a comparison, and the name that it has in the file
  const made = lines.map(({ result }: { result: Comparison }) => result)

  return made.length === 0
    ? 'No comparison was made yet since the gate compares and decides as it does now.'
    : sayAnswers(made).map(answer => `- ${answer}`).join('\n')
}
