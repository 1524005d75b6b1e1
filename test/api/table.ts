import { EventEmitter } from 'node:events'
import fs from 'node:fs/promises'
import { handleDifferences as openFileDifferences } from '../fs/handle/differences.ts'
import { differences, handleDifferences, refusals } from './differences.ts'
import { methodsOf } from './methods.ts'
import type { Difference, Refusal } from './differences.ts'
import type { Method } from './methods.ts'

const ofHandles = 'FileHandle.'
const markers = ['<!-- api: begin -->', '<!-- api: end -->'] as const

/** What `node:fs/promises` exports, beside the constants. */
export const nodeFunctions: readonly string[] = Object.keys(fs).filter(name => name !== 'constants' && name !== 'default')

/** What a FileHandle of Node.js has, beside what makes it an event emitter. */
export async function nodeHandleFunctions (): Promise<string[]> {
  const handle = await fs.open(import.meta.filename)

  try {
    const names = [handle, Object.getPrototypeOf(handle)].flatMap(object => Object.getOwnPropertyNames(object))
    const ofEmitters = Object.getOwnPropertyNames(new EventEmitter())

    return names.filter(name => name !== 'constructor' && /^[a-z]/i.test(name) && !ofEmitters.includes(name))
  } finally {
    await handle.close()
  }
}

/**
 * Puts the tables of the API, made from the code, between their markers.
 *
 * @throws {Error} where a marker is missing
 */
export async function withTables (readme: string): Promise<string> {
  const [begin, end] = markers.map(marker => readme.indexOf(marker))

  if (begin === -1 || end < begin) {
    throw new Error(`the README has no ${markers.join(' and ')}`)
  }

  return `${readme.slice(0, begin + markers[0].length)}\n\n${await tables()}\n\n${readme.slice(end)}`
}

async function tables (): Promise<string> {
  return [
    table('fs', methodsOf('DagFs'), [...nodeFunctions, 'constants'], [...differences, ...openFileDifferences.filter(({ call }) => !call.startsWith(ofHandles))]),
    'What `fs.open` answers:',
    table('handle', methodsOf('FileHandle'), [...await nodeHandleFunctions(), '[Symbol.asyncDispose]'], [...handleDifferences, ...differencesOfHandles()])
  ].join('\n\n')
}

function differencesOfHandles (): Difference[] {
  return openFileDifferences
    .filter(({ call }) => call.startsWith(ofHandles))
    .map(difference => ({ ...difference, call: difference.call.slice(ofHandles.length) }))
}

function table (subject: string, methods: readonly Method[], node: readonly string[], differing: readonly Difference[]): string {
  const refused = refusals.filter(refusal => refusal.subject === subject)
  const rows = methods.map(method => row(subject, method, standing(method, node, differing, refused)))
  const absent = differing.filter(({ call }) => !methods.some(({ name }) => name === call)).map(({ call, how }) => `| \`${subject}.${call}\` | | ${cell(`absent: ${how}`)} |`)

  return ['| call | what it does | beside Node.js |', '|---|---|---|', ...rows, ...absent].join('\n')
}

function row (subject: string, { name, parameters, isFunction, summary }: Method, stands: string): string {
  const call = `${subject}${name.startsWith('[') ? '' : '.'}${name}${isFunction ? `(${parameters.join(', ')})` : ''}`

  return `| \`${call}\` | ${cell(summary)} | ${cell(stands)} |`
}

function standing ({ name, summary }: Method, node: readonly string[], differing: readonly Difference[], refused: readonly Refusal[]): string {
  const refusal = refused.find(({ call }) => call === name)

  if (refusal !== undefined) {
    return `refused: \`${refusal.code}\``
  }

  if (!node.includes(name)) {
    return 'only here'
  }

  // what does as another call does differs as that does
  const calls = [name, ...[...summary.matchAll(/^As `(\w+)`/g)].map(([, other]) => other)]
  const how = differing.filter(({ call }) => calls.includes(call)).map(difference => difference.how)

  return how.length === 0 ? 'the same' : `differs: ${how.join('; ')}`
}

function cell (text: string): string {
  return text.replaceAll('|', '\\|')
}
