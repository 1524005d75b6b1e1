import { markdownTable } from '../../harness/markdown.ts'
import { P99_SAMPLES } from '../../harness/statistics.ts'
import { TARGET_COLUMNS } from '../../harness/target.ts'
import { sayRun } from '../../report/say-run.ts'
import { compareWithPeers } from './peers.ts'
import { judgeTargets } from './targets.ts'
import type { Report } from './report.ts'
import type { Row } from './row.ts'

/**
 * Writes a report down as the README shows it: a table for each corpus, and what
 * it was measured on.
 */
export function readmeSection (report: Report): string {
  const corpora = [...new Set(report.rows.map(({ corpus }) => corpus))]
  const targets = judgeTargets(report.rows)

  return [
    ...corpora.map(corpus => corpusSection(report, corpus)),
    ...targets.length === 0 ? [] : [`Targets of cold imports, by medians:\n\n${markdownTable(TARGET_COLUMNS, targets)}`],
    machineLine(report)
  ].join('\n\n')
}

function corpusSection (report: Report, corpus: string): string {
  const rows = report.rows.filter(row => row.corpus === corpus)
  const [{ files, bytes }] = rows

  return [
    `**${corpus}**: ${files.toLocaleString('en')} files, ${(bytes / 1e6).toFixed(1)} MB`,
    '',
    '| Implementation | phase | ops/s | ms/op | p99 | runs | memory after one, MB | after all | compared |',
    '|---|---|--:|--:|--:|--:|--:|--:|---|',
    ...rows.map(row => rowLine(row, rows)),
    '',
    equalityLine(report, corpus)
  ].join('\n')
}

function rowLine (row: Row, rows: readonly Row[]): string {
  const { opsPerSec, msPerOp, p99 } = row

  if (opsPerSec == null || msPerOp == null || p99 == null) {
    return `| ${row.contender} | ${row.phase} | | | | | | | ${row.status}: ${row.reason} |`
  }

  const cells = [
    row.contender,
    row.phase,
    opsPerSec.toFixed(2),
    msPerOp.toFixed(2),
    `${p99.toFixed(2)}${row.samples < P99_SAMPLES ? '*' : ''}`,
    row.samples,
    megabytes(row.firstRssBytes),
    megabytes(row.maxRssBytes),
    row.cidGroup === 'none' ? row.reason ?? '' : compareWithPeers(row, rows)
  ]

  return `| ${cells.join(' | ')} |`
}

function megabytes (bytes: number | null): string {
  return bytes == null ? '' : (bytes / 1e6).toFixed(0)
}

function equalityLine ({ cidEquality, kuboAgreement }: Report, corpus: string): string {
  const groups = cidEquality
    .filter(found => found.corpus === corpus && found.contenders.length > 1)
    .map(({ group, equal, contenders }) => `${group}: ${contenders.join(', ')} ${equal ? 'give one CID' : 'DIFFER'}`)
  const agreements = kuboAgreement
    .filter(found => found.corpus === corpus)
    .map(({ blocks, imported, reencodedEqual }) => `Kubo imported ${imported} of our ${blocks} blocks and re-encoded ${reencodedEqual ? 'all dag-cbor ones to the same CIDs' : 'some to OTHER CIDs'}`)

  return `${[...groups, ...agreements].join('. ')}.`
}

function machineLine (report: Report): string {
  const { rows } = report
  const synced = [...new Set(rows.filter(({ durable }) => durable === true).map(({ contender }) => contender))]
  const saySynced = synced.length === 0 ? 'Nothing was synced by anybody' : `Synced to the disk before returning: ${synced.join(', ')}, and nobody else`

  return `${sayRun(report)} ${saySynced}. \\* rests on fewer than ${P99_SAMPLES} runs.`
}
