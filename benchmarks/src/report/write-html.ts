import { missedFirst, TARGET_COLUMNS } from '../harness/target.ts'
import { byReason } from './by-reason.ts'
import { reportTable } from './chart.ts'
import { escapeText, proseHtml } from './escape.ts'
import { sayKept } from './judged-targets.ts'
import { renderChart } from './render-chart.ts'
import { targetsOf } from './sections-of.ts'
import { sayNext, shareConditions } from './shared-conditions.ts'
import { STYLE } from './style.ts'
import type { Chart, ReportTable, Section } from './chart.ts'
import type { Chapter, Run } from './sections-of.ts'
import type { SharedConditions } from './shared-conditions.ts'

/**
 * Writes chapters as one page that needs nothing else: no network, no script, no
 * font.
 */
export async function writeHtml (chapters: readonly Chapter[]): Promise<string> {
  const body = []

  for (const chapter of chapters) {
    body.push(await chapterHtml(chapter))
  }

  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Benchmarks of dagfs</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Benchmarks of dagfs</h1>
<p>dagfs is a versioned filesystem with content-addressed trees. This page compares it with other systems. All figures of a chart come from one run on one machine. Compare two charts only if both come from the same run.</p>
<nav aria-label="Cases"><ul>${chapters.map(({ key }) => `<li><a href="#${key}">${escapeText(key)}</a></li>`).join('')}</ul></nav>
${summaryHtml(chapters)}
${body.join('\n')}
</main>
</body>
</html>
`
}

/**
 * The targets of all chapters; those that are missed stand first
 */
function summaryHtml (chapters: readonly Chapter[]): string {
  const judged = missedFirst(targetsOf(chapters))

  if (judged.length === 0) {
    return ''
  }

  const title = 'Targets and results'
  // a phone has no room for a column of cases, too
  const rows = [...Map.groupBy(judged, ({ of }) => of)].map(([key, targets]) =>
    `<tr><th colspan="${TARGET_COLUMNS.length}" scope="colgroup"><a href="#${key}">${escapeText(key)}</a></th></tr>${bodyHtml(reportTable(title, TARGET_COLUMNS, targets))}`)

  return [
    `<section class="summary" aria-label="Summary"><h2>${title}</h2>`,
    `<p>${escapeText(sayKept(judged))} Ratios are of medians.</p>`,
    tableHtml(reportTable(title, TARGET_COLUMNS, []), rows.join('')),
    '</section>'
  ].join('\n')
}

async function chapterHtml (chapter: Chapter): Promise<string> {
  const { key, description, runs, missing } = chapter
  const shared = shareConditions(chapter)
  const parts = [`<h2 id="${key}">${escapeText(key)}</h2>`, `<p>This case is to ${escapeText(description)}.</p>`]

  if (missing != null) {
    parts.push(`<p class="warning">There are no figures. ${escapeText(missing)} <code>npm start -- ${escapeText(key)}</code> measures it.</p>`)
  }

  parts.push(conditionsHtml(shared.chapter))

  for (const [index, run] of runs.entries()) {
    parts.push(...await runHtml(run, shared.runs[index], `${key}-${index + 1}`))
  }

  return `<section aria-labelledby="${key}">\n${parts.filter(part => part !== '').join('\n')}\n</section>`
}

async function runHtml ({ machine, interrupted, sections }: Run, shared: SharedConditions['runs'][number], id: string): Promise<string[]> {
  const parts = interrupted == null ? [] : [`<p class="warning">The run was ${escapeText(interrupted)}.</p>`]

  if (shared.run.length > 0) {
    parts.push(`<p>${sayNext(sections)}:</p>`, conditionsHtml(shared.run))
  }

  for (const [index, section] of sections.entries()) {
    parts.push(await sectionHtml({ ...section, conditions: shared.sections[index] }, machine, `${id}-${index + 1}`))
  }

  return parts
}

async function sectionHtml ({ title, shows, conditions, charts, tables, notes, unavailable }: Section, machine: string, id: string): Promise<string> {
  const figures = []

  for (const [index, chart] of charts.entries()) {
    figures.push(await figureHtml(chart, machine, `${id}-${index + 1}`))
  }

  return [
    `<h3>${escapeText(title)}</h3>`,
    `<p>${proseHtml(shows)}</p>`,
    conditionsHtml(conditions),
    figures.length === 0 ? '' : `<div class="charts">\n${figures.join('\n')}\n</div>`,
    ...tables.map(table => `<h4>${escapeText(table.title)}</h4>\n${tableHtml(table)}`),
    list(notes.map(proseHtml)),
    unavailable.length === 0 ? '' : `<h4>What is not here, and why</h4>${list(byReason(unavailable).map(({ what, reason }) => `<strong>${escapeText(what)}</strong>: ${proseHtml(reason)}`))}`
  ].filter(part => part !== '').join('\n')
}

function conditionsHtml (conditions: Section['conditions']): string {
  return conditions.length === 0 ? '' : `<dl>${conditions.map(([word, what]) => `<dt>${escapeText(word)}</dt><dd>${proseHtml(what)}</dd>`).join('')}</dl>`
}

async function figureHtml (chart: Chart, machine: string, id: string): Promise<string> {
  return [
    '<figure>',
    `<figcaption><h4>${escapeText(chart.title)}</h4><p>${proseHtml(chart.caption)}</p></figcaption>`,
    await renderChart(chart, id),
    `<p class="basis">${proseHtml(chart.basis)} ${proseHtml(machine)}</p>`,
    `<details><summary>The figures as a table</summary>${tableHtml(chart.table)}</details>`,
    '</figure>'
  ].join('\n')
}

/**
 * A box that is scrolled can also be reached by the keyboard
 */
function tableHtml (table: ReportTable, body = bodyHtml(table)): string {
  return [
    `<div class="scroll" role="group" tabindex="0" aria-label="${escapeText(table.title)}"><table>`,
    `<thead><tr>${table.columns.map(({ title, align }) => cellHtml('th', title, align)).join('')}</tr></thead>`,
    `<tbody>${body}</tbody>`,
    '</table></div>'
  ].join('')
}

function bodyHtml ({ columns, rows }: ReportTable): string {
  return rows.map(row => `<tr>${row.map((text, index) => cellHtml('td', text, columns[index].align)).join('')}</tr>`).join('')
}

function cellHtml (tag: 'th' | 'td', text: string, align: 'left' | 'right'): string {
  return `<${tag}${align === 'right' ? ' class="right"' : ''}${tag === 'th' ? ' scope="col"' : ''}>${escapeText(text)}</${tag}>`
}

function list (items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>${items.map(item => `<li>${item}</li>`).join('')}</ul>`
}
