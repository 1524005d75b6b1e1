import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { Report } from '../src/cases/add-dir/index.ts'
import type { ResultPromise } from 'execa'

/**
 * Above what any of these runs takes on a slow machine: one that does not end
 * by itself is stopped, and fails
 */
const TIMEOUT_MS = 10 * 60_000

export type CliOptions = typeof cliOptions

// a signal that a test sends must do on its own
const cliOptions = { reject: false, timeout: TIMEOUT_MS, extendEnv: false, forceKillAfterDelay: false } as const

/**
 * Starts a script of this workspace as a user would, without what the
 * environment of the tests says about it.
 */
export function startCli (script: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}, execArgv: readonly string[] = []): ResultPromise<CliOptions> {
  const { ITERATIONS, MIN_TIME, TEST_PATH, INIT_CWD, ...own } = process.env

  return execa(process.execPath, [...execArgv, fileURLToPath(new URL(`../src/${script}.js`, import.meta.url)), ...args], { ...cliOptions, env: { ...own, ...env } })
}

/**
 * The environment in which those processes of contenders do not end well that are asked for `what`
 */
export function endingBadly (what: string): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--import ${new URL('workers/ending-badly.js', import.meta.url).href}`, ENDS_BADLY: what }
}

export function rowsOf (report: Report, contender: string): Report['rows'] {
  return report.rows.filter(row => row.contender === contender)
}
