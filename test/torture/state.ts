import fs from 'node:fs'
import path from 'node:path'

/** How far a part is: all that is needed to go on, and what is reported in the end. */
export interface State {
  readonly part: string
  readonly seed: number
  /** Cases that were run: the next one has this number */
  readonly cases: number
  readonly units: number
  readonly violations: number
  readonly ms: number
  readonly worst: Readonly<Record<string, number>>
  /** When it was noted, and on which Node.js */
  readonly at: string
  readonly node: string
  /** What it ran on; undefined where that was no checkout */
  readonly commit?: string | undefined
}

export function newState (part: string, seed: number, commit: string | undefined): State {
  return { part, seed, cases: 0, units: 0, violations: 0, ms: 0, worst: {}, at: new Date().toISOString(), node: process.version, commit }
}

export function readState (folder: string, part: string): State | undefined {
  const file = fileOf(folder, part)

  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** Notes how far a part is; an interruption leaves what was noted before. */
export function writeState (folder: string, state: State): void {
  fs.mkdirSync(folder, { recursive: true })
  const file = fileOf(folder, state.part)
  fs.writeFileSync(`${file}.tmp`, `${JSON.stringify(state, undefined, 2)}\n`)
  fs.renameSync(`${file}.tmp`, file)
}

function fileOf (folder: string, part: string): string {
  return path.join(folder, `${part}.json`)
}
