import { markdownTable } from '../harness/markdown.ts'
import type { Section, ReportTable } from './chart.ts'
import type { Chapter } from './sections-of.ts'

/**
 * Writes chapters as one Markdown text: what the page says, with the table of each
 * chart in its place.
 */
export function writeMarkdown (chapters: readonly Chapter[]): string {
  const parts = ['# Benchmarks of dagfs']

  for (const { key, description, runs, missing } of chapters) {
    parts.push(`## ${key}: ${description}`)

    if (missing != null) {
      parts.push(missing)
    }

    for (const { machine, interrupted, sections } of runs) {
      parts.push(machine, ...interrupted == null ? [] : [`**${interrupted}**`], ...sections.flatMap(sectionParts))
    }
  }

  return `${parts.join('\n\n')}\n`
}

function sectionParts ({ title, shows, conditions, charts, tables, notes, unavailable }: Section): string[] {
  return [
    `### ${title}`,
    shows,
    list(conditions.map(([word, what]) => `${word}: ${what}`)),
    ...charts.flatMap(chart => [`**${chart.title}.** ${chart.caption} ${chart.basis}`, writeTable(chart.table)]),
    ...tables.flatMap(table => [`**${table.title}**`, writeTable(table)]),
    list(notes),
    list(unavailable.map(({ what, reason }) => `${what} is not here: ${reason}`))
  ].filter(part => part !== '')
}

function list (items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n')
}

export function writeTable ({ columns, rows }: ReportTable): string {
  return markdownTable(columns.map(({ title, align }, index) => ({ title, align, cell: (row: readonly string[]) => row[index] })), rows)
}
