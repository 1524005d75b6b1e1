import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GateReport } from './report.ts'

/**
 * An entry of the files that github-action-benchmark reads as its tools
 * `customSmallerIsBetter` and `customBiggerIsBetter`
 */
export interface BenchmarkEntry {
  readonly name: string
  readonly unit: string
  readonly value: number
  readonly extra: string
}

/**
 * What is the better the smaller it is, and what the bigger. Ratios alone: runners
 * of one name are machines of several speeds.
 */
export function benchmarkEntries ({ rows, peers, baseline }: Pick<GateReport, 'rows' | 'peers' | 'baseline'>): { smaller: BenchmarkEntry[], bigger: BenchmarkEntry[] } {
  return {
    smaller: rows.flatMap(({ row, status, ms, compared, pairs }) => compared.map(({ measure, ratio }) => ({
      name: `${row} (${measure === 'cpu' ? 'processor' : 'clock'})`,
      unit: 'of the baseline\'s time',
      value: ratio,
      extra: `${status}; ${ms?.[measure].toFixed(2)} ms; ${pairs} pairs of processes; baseline ${baseline.commit}`
    }))),
    bigger: peers.flatMap(({ ours, peer, corpus, phase, measured, published }) => measured == null
      ? []
      : [{ name: `${ours} to ${peer}, ${corpus} ${phase}`, unit: 'times as fast', value: measured, extra: `published: ${published?.toFixed(2) ?? 'nothing'}` }])
  }
}

/**
 * Writes `smaller.json` and `bigger.json` into a directory, which is made where
 * it is not there.
 */
export async function writeBenchmarks (directory: string, report: GateReport): Promise<void> {
  await mkdir(directory, { recursive: true })

  for (const [name, entries] of Object.entries(benchmarkEntries(report))) {
    await writeFile(join(directory, `${name}.json`), `${JSON.stringify(entries, null, 2)}\n`)
  }
}
