import fs from 'node:fs'
import path from 'node:path'
import { seed as newSeed } from '../seed.ts'
import { commitOf } from './commit.ts'
import { parts } from './parts.ts'
import { progressLine, tableOf } from './report.ts'
import { runCase, Violation } from './run-case.ts'
import { newState, readState, writeState } from './state.ts'
import type { Cases, Part } from './part.ts'
import type { State } from './state.ts'

/** What is asked for on the command line */
export interface Order {
  /** The parts; all where there is none */
  readonly names: readonly string[]
  readonly count: number | undefined
  readonly only: number | undefined
  /** Whether the seed was asked for: what was noted with another one is not gone on with */
  readonly hasSeed: boolean
  readonly folder: string
  readonly isFresh: boolean
  print(line: string): void
}

// what happens more often than this tells nothing new
const maxViolations = 10
const noteEveryMs = 5_000
const tellEveryMs = 30_000

export function listParts (): string {
  return Object.entries(parts).map(([name, { claim, full, unit }]) => `${name.padEnd(14)} ${full.toLocaleString('en')} ${unit}: ${claim}`).join('\n')
}

/** What was noted of all parts, as a table */
export function showTable (folder: string): string {
  return tableOf(Object.keys(parts).flatMap(name => readState(folder, name) ?? []))
}

/** Puts that table into the document beside this file. */
export function writeTable (folder: string): void {
  const file = path.join(import.meta.dirname, 'README.md')
  const text = fs.readFileSync(file, 'utf8')
  const [begin, end] = ['<!-- results: begin -->', '<!-- results: end -->'].map(marker => text.indexOf(marker))
  fs.writeFileSync(file, `${text.slice(0, text.indexOf('\n', begin))}\n\n${showTable(folder)}\n\n${text.slice(end)}`)
}

/** Runs parts one after the other and answers whether all claims held. Interrupted, it ends after the case under way. */
export async function tortureParts (order: Order): Promise<boolean> {
  const unknown = order.names.find(name => parts[name] === undefined)

  if (unknown !== undefined) {
    throw new Error(`there is no part ${unknown}, only ${Object.keys(parts).join(', ')}`)
  }

  const names = order.names.length > 0 ? order.names : Object.keys(parts)
  const commit = commitOf(import.meta.dirname)
  requireSameCommit(names, commit, order)
  const interrupted = new AbortController()
  const interrupt = (): void => { interrupted.abort() }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  let isWhole = true

  for (const name of names) {
    isWhole = await torturePart(name, commit, order, interrupted.signal) && isWhole
  }

  process.off('SIGINT', interrupt).off('SIGTERM', interrupt)

  return isWhole && !interrupted.signal.aborted
}

/** What was found on one commit says nothing of another. */
function requireSameCommit (names: readonly string[], commit: string | undefined, order: Order): void {
  if (order.only !== undefined) {
    return
  }

  const other = names.map(name => notedOf(name, order)).find(noted => noted !== undefined && noted.commit !== commit)

  if (other !== undefined) {
    throw new Error(`what was noted of ${other.part} ran on ${other.commit ?? 'no known commit'}, and this is ${commit ?? 'no checkout'}: go on there, begin again with --fresh, or note it elsewhere with --state`)
  }
}

async function torturePart (name: string, commit: string | undefined, order: Order, interrupted: AbortSignal): Promise<boolean> {
  if (interrupted.aborted) {
    return true
  }

  const part = parts[name]
  order.print(`\n== ${name}: ${part.claim}`)
  const cases = await part.open()

  try {
    return order.only === undefined ? await runMany(name, part, cases, startOf(name, commit, order), order, interrupted) : await runOnly(name, cases, order.only, order)
  } finally {
    await cases.close()
  }
}

async function runOnly (name: string, cases: Cases, number: number, { print }: Order): Promise<boolean> {
  try {
    const { units } = await runCase(name, cases, newSeed, number)
    print(`case ${number}: nothing found, ${units} ${parts[name].unit}`)

    return true
  } catch (err) {
    print(String(err))

    return false
  }
}

async function runMany (name: string, part: Part, cases: Cases, before: State, order: Order, interrupted: AbortSignal): Promise<boolean> {
  const { folder, print } = order
  const count = order.count ?? part.full
  let state = before
  const start = performance.now()
  let [noted, told] = [start, start]
  print(`seed ${state.seed}, ${count.toLocaleString('en')} ${part.unit}${state.cases > 0 ? `, going on from case ${state.cases}` : ''}`)

  while (state.units < count && state.violations < maxViolations && !interrupted.aborted) {
    state = await withNext(name, cases, state, print)
    const now = performance.now()
    state = { ...state, ms: before.ms + now - start }

    if (now - noted > noteEveryMs) {
      noted = now
      writeState(folder, state)
    }

    if (now - told > tellEveryMs) {
      told = now
      print(progressLine(state, before, count, part.unit))
    }
  }

  writeState(folder, { ...state, at: new Date().toISOString(), node: process.version })
  print(progressLine(state, before, count, part.unit))

  return state.violations === 0
}

function startOf (name: string, commit: string | undefined, order: Order): State {
  return notedOf(name, order) ?? newState(name, newSeed, commit)
}

/** What is gone on with */
function notedOf (name: string, { folder, isFresh, hasSeed }: Order): State | undefined {
  const noted = isFresh ? undefined : readState(folder, name)

  return noted === undefined || (hasSeed && noted.seed !== newSeed) ? undefined : noted
}

async function withNext (name: string, cases: Cases, state: State, print: Order['print']): Promise<State> {
  try {
    const { units, worst } = await runCase(name, cases, state.seed, state.cases)

    return { ...state, cases: state.cases + 1, units: state.units + units, worst: worstOf(state.worst, worst) }
  } catch (err) {
    if (!(err instanceof Violation)) {
      throw err
    }

    print(`VIOLATION ${err.message}`)

    return { ...state, cases: state.cases + 1, units: state.units + 1, violations: state.violations + 1 }
  }
}

function worstOf (a: State['worst'], b: State['worst']): State['worst'] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])

  return Object.fromEntries([...names].map(name => [name, Math.max(a[name] ?? -Infinity, b[name] ?? -Infinity)]))
}
