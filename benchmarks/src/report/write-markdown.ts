import { markdownTable } from '../harness/markdown.ts'
import { missedFirst } from '../harness/target.ts'
import { byReason } from './by-reason.ts'
import { JUDGED_COLUMNS, sayKept } from './judged-targets.ts'
import { targetsOf } from './sections-of.ts'
import { sayNext, shareConditions } from './shared-conditions.ts'
import type { Section, ReportTable } from './chart.ts'
import type { Chapter } from './sections-of.ts'

/**
 * Writes chapters as one Markdown text: what the page says, with the table of each
 * chart in its place.
 */
export function writeMarkdown (chapters: readonly Chapter[]): string {
  const judged = missedFirst(targetsOf(chapters))
  const parts = ['# Benchmarks of dagfs', ...judged.length === 0 ? [] : [sayKept(judged), markdownTable(JUDGED_COLUMNS, judged)]]

  for (const chapter of chapters) {
    const { key, description, runs, missing } = chapter
    const shared = shareConditions(chapter)

    parts.push(`## ${key}: ${description}`, conditionList(shared.chapter))

    if (missing != null) {
      parts.push(missing)
    }

    for (const [index, { interrupted, sections }] of runs.entries()) {
      const { run, sections: own } = shared.runs[index]

      parts.push(
        ...interrupted == null ? [] : [`**${interrupted}**`],
        ...run.length === 0 ? [] : [`${sayNext(sections)}:`, conditionList(run)],
        ...sections.flatMap((section, at) => sectionParts({ ...section, conditions: own[at] }))
      )
    }
  }

  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function sectionParts ({ title, shows, conditions, charts, tables, notes, unavailable }: Section): string[] {
  return [
    `### ${title}`,
    shows,
    conditionList(conditions),
    ...charts.flatMap(chart => [`**${chart.title}.** ${chart.caption} ${chart.basis}`, writeTable(chart.table)]),
    ...tables.flatMap(table => [`**${table.title}**`, writeTable(table)]),
    list(notes),
    list(byReason(unavailable).map(({ what, reason }) => `${what} is not here: ${reason}`))
  ].filter(part => part !== '')
}

function conditionList (conditions: Section['conditions']): string {
  return list(conditions.map(([word, what]) => `${word}: ${what}`))
}

function list (items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n')
}

export function writeTable ({ columns, rows }: ReportTable): string {
  return markdownTable(columns.map(({ title, align }, index) => ({ title, align, cell: (row: readonly string[]) => row[index] })), rows)
}
