import { details, figure, markdownTable, megabytes } from '../../harness/markdown.ts'
import { sayRun } from '../../report/say-run.ts'
import { besidePublished } from './beside-published.ts'
import { besideColumns, carColumns, wayColumns } from './columns.ts'
import { printFamilies, printStrictness, sayDirectory } from './print.ts'
import { sayCompared } from './say-compared.ts'
import type { CodecReport } from './report.ts'

/**
 * Writes a report down as the README shows it.
 */
export function codecSection (report: CodecReport): string {
  const { car, carRows, directories, strictness } = report

  return [
    '`@ipld/dag-cbor` on cborg in percent of `@ipld/dag-cbor` 2.0.3 on borc, by operations per second, and what was published when it changed:',
    markdownTable(besideColumns, besidePublished(report)),
    ...car == null ? [] : [`A CAR of ${figure(car.blocks)} blocks and ${megabytes(car.bytes)} MB, decoded, and decoded, encoded again and written. ${sayCompared(carRows)}`.trim(), markdownTable(carColumns(carRows), carRows)],
    ...directories.flatMap(directory => [sayDirectory(directory), markdownTable(wayColumns(directory), directory.ways)]),
    printStrictness(strictness),
    details('Operations per second of every library, as the document lays them out', [`\`\`\`text\n${printFamilies(report)}\n\`\`\``]),
    `${sayRun(report)} Medians.`
  ].join('\n\n')
}
