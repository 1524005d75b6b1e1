import { randomUUID } from 'node:crypto'
import { resolveGiven } from '../harness/resolve-given.ts'
import { readList } from '../read-flags.ts'
import { runCommand, runLong, writeReport } from '../run-command.ts'
import { writeBenchmarks } from './github-benchmark.ts'
import { runGate } from './index.ts'
import { gatePlans } from './plan.ts'
import { printGate } from './print.ts'
import { gateRows } from './rows/index.ts'
import type { GateOptions } from './index.ts'
import type { GateSize } from './plan.ts'

interface Flags {
  readonly size?: unknown
  readonly rows?: unknown
  readonly optional?: unknown
  readonly peers?: boolean
  readonly seed?: unknown
  readonly json?: string
  readonly benchmarks?: string
}

/**
 * Runs the gate. The exit code is 1 where the checkout may not land.
 */
export async function gate (argv: readonly string[]): Promise<void> {
  await runCommand('npm run gate --', argv, {
    usage: '',
    description: 'compare this checkout with the baseline, and with other systems',
    flags: {
      '--size <size>': `of ${Object.keys(gatePlans).join(', ')} (full)`,
      '--rows <text>': 'only rows that have one of these texts in their names, separated by commas',
      '--no-peers': 'without other systems',
      '--optional <keys>': 'other systems whose absence is no fault',
      '--seed <text>': 'what orders are drawn from (another one each time)',
      '--json <file>': 'write the report there',
      '--benchmarks <dir>': 'write smaller.json and bigger.json there, for github-action-benchmark'
    },
    run
  })
}

async function run (flags: Flags): Promise<void> {
  const options = readOptions(flags)
  const report = await runLong(async (progress, signal) => runGate(options, progress, signal))

  process.stdout.write(`${printGate(report)}\n`)
  await writeReport(flags.json, report)

  if (flags.benchmarks != null) {
    await writeBenchmarks(resolveGiven(flags.benchmarks), report)
  }

  if (report.faults.length > 0) {
    process.exitCode = 1
  }
}

function readOptions ({ size = 'full', rows, optional, peers = true, seed }: Flags): GateOptions {
  if (!isSize(size)) {
    throw new Error(`there is no size ${String(size)}; there are ${Object.keys(gatePlans).join(' and ')}`)
  }

  const texts = readList('rows', rows)
  const chosen = gateRows.map(({ key }) => key).filter(key => texts == null || texts.some(text => key.includes(text)))

  if (chosen.length === 0) {
    throw new Error(`no row has ${String(rows)} in its name; there are ${gateRows.map(({ key }) => key).join(', ')}`)
  }

  return { size, rows: chosen, peers, optional: readList('optional', optional) ?? [], seed: String(seed ?? randomUUID()) }
}

function isSize (size: unknown): size is GateSize {
  return typeof size === 'string' && Object.hasOwn(gatePlans, size)
}
