import { EventEmitter } from 'node:events'
import fs from 'node:fs/promises'
import { betweenMarkers } from '../architecture/markdown.ts'
import { handleDifferences as openFileDifferences } from '../fs/handle/differences.ts'
import { differences, handleDifferences, refusals } from './differences.ts'
import { methodsOf } from './methods.ts'
import type { Difference, Refusal } from './differences.ts'
import type { Method } from './methods.ts'

const ofHandles = 'FileHandle.'

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

/** The pages that have a table of functions, made from the code. */
export const apiPages: ReadonlyArray<{ readonly file: string, write(this: void, text: string): Promise<string> }> = [
  { file: 'docs/api.md', write: async text => betweenMarkers(text, 'api', filesystemTable()) },
  { file: 'docs/file-handles.md', write: async text => betweenMarkers(text, 'handles', await handleTable()) }
]

function filesystemTable (): string {
  return table('fs', methodsOf('DagFs'), [...nodeFunctions, 'constants'], [...differences, ...openFileDifferences.filter(({ call }) => !call.startsWith(ofHandles))])
}

async function handleTable (): Promise<string> {
  return table('handle', methodsOf('FileHandle'), [...await nodeHandleFunctions(), '[Symbol.asyncDispose]'], [...handleDifferences, ...differencesOfHandles()])
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

  return ['| call | what it does | compared with Node.js |', '|---|---|---|', ...rows, ...absent].join('\n')
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
