import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { chromium } from 'playwright-core'
import { loadBrowsers } from '../src/cases/format/internals.ts'
import { byReason } from '../src/report/by-reason.ts'
import { readCommitted } from '../src/report/committed.ts'
import { escapeText, proseHtml } from '../src/report/escape.ts'
import { DARK, LIGHT, paint } from '../src/report/palette.ts'
import { renderChart } from '../src/report/render-chart.ts'
import { sectionsOf, targetsOf } from '../src/report/sections-of.ts'
import { lines } from '../src/report/specs.ts'
import { writeHtml } from '../src/report/write-html.ts'
import { writeMarkdown } from '../src/report/write-markdown.ts'
import { writePage } from '../src/report/write-page.ts'
import { CHART } from './chart.ts'
import { temporary } from './temporary.ts'

const PHONE_WIDTH = 360

describe('a chart', () => {
  it('is identical for every drawing, whatever the locale and fonts', async () => {
    const first = await renderChart(CHART, 'a')

    for (const [LC_ALL, locale] of [['de_DE.UTF-8', 'de-DE'], ['en_US.UTF-8', 'en-US']]) {
      const { stdout } = await execa(process.execPath, [fileURLToPath(new URL('draw-chart.js', import.meta.url))], { env: { LC_ALL } })

      // Intl takes its locale once, when a process starts
      assert.deepEqual(JSON.parse(stdout), { locale, svg: first })
    }

    assert.doesNotMatch(first, /\d\.\d{4}/)
  })

  it('has a title and a description for screen readers', async () => {
    const svg = await renderChart(CHART, 'a')

    assert.match(svg, /^<svg [^>]*role="img" aria-labelledby="a-title a-desc"><title id="a-title">Time &amp; memory<\/title><desc id="a-desc">Shorter bars are faster\.<\/desc>/)
  })

  it('uses CSS colours, and named colours as a picture', async () => {
    const svg = await renderChart(CHART, 'a')

    assert.match(svg, /fill="var\(--series-1\)"/)

    for (const palette of [LIGHT, DARK]) {
      const painted = paint(svg, palette)

      assert.doesNotMatch(painted, /var\(/)
      assert.ok(painted.includes(`fill="${palette['series-1']}"`))
    }
  })

  it('escapes its text', async () => {
    assert.match(await renderChart(CHART, 'a'), /dagfs &lt;mem&gt;/)
  })

  it('fits a phone, whatever its content', async () => {
    for (const spec of [CHART.spec, lines([{ x: 1, y: 2, series: 'a' }, { x: 1000, y: 20, series: 'b' }], { title: 'files', scale: 'log' }, { title: 'time', unit: 'ms', scale: 'log' })]) {
      assert.match(await renderChart({ ...CHART, spec }, 'a'), /^<svg [^>]*viewBox="0 0 360 \d+/)
    }
  })

  it('is refused if vega does not understand it', async () => {
    await assert.rejects(renderChart({ ...CHART, spec: { data: { values: [] }, mark: 'bar', encoding: { x: { field: 'a', type: 'quantitative', bin: 'nonsense(' } }, transform: [{ calculate: 'nonsense(', as: 'a' }] } }, 'a'))
  })

  it('has a contrast of 3:1 for colours and 4.5:1 for text', () => {
    for (const palette of [LIGHT, DARK]) {
      for (const [name, colour] of Object.entries(palette)) {
        const least = name.startsWith('series') ? 3 : 4.5

        if (!['paper', 'card', 'grid'].includes(name)) {
          assert.ok(contrast(colour, palette.card) >= least, `${name}: ${contrast(colour, palette.card)}`)
        }
      }
    }
  })
})

/** A page without what it says of NaN as a value that codecs are given. */
function withoutNumberNames (text: string): string {
  return text.replaceAll('>NaN</th>', '').split('\n').map(line => line.includes('infinities') ? line.replaceAll(/NaN(?=,| +\|)/g, '') : line).join('\n')
}

describe('the page', () => {
  it('has every chart and table of the committed reports, without other resources', async () => {
    const chapters = sectionsOf(await readCommitted(), [])
    const html = await writeHtml(chapters)
    const sections = chapters.flatMap(({ runs }) => runs).flatMap(run => run.sections)
    const charts = sections.flatMap(section => section.charts)

    assert.ok(charts.length > 5)
    assert.equal(html.match(/<svg /g)?.length, charts.length)
    assert.equal(html.match(/<details>/g)?.length, charts.length)
    assert.doesNotMatch(html, /<script|<link|<img|src=|@import|url\(|href="(?!#)/)
    assert.match(html, /prefers-color-scheme:dark/)
    assert.doesNotMatch(withoutNumberNames(html), /undefined|NaN|\[object/)

    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)

    assert.equal(new Set(ids).size, ids.length)
  })

  it('states the samples and machine of every chart', async () => {
    const html = await writeHtml(sectionsOf(await readCommitted(), []))
    const bases = [...html.matchAll(/<p class="basis">(.*?)<\/p>/g)].map(([, basis]) => basis)

    assert.ok(bases.length > 5)

    for (const basis of bases) {
      // what is counted is the same in every sample
      assert.match(basis, /\d (samples|rounds)\b|^Counted (over one run|in the last sample)\b/)
      assert.match(basis, /On \d+ cores of .*Node\.js v\d+/)
    }
  })

  it('states versions, options and sync of every section', async () => {
    for (const { title, conditions } of sectionsOf(await readCommitted(), []).flatMap(({ runs }) => runs).flatMap(run => run.sections)) {
      const told = conditions.map(([name]) => name)

      assert.deepEqual(['versions', 'options', 'durability'].filter(name => !told.includes(name)), [], title)
    }
  })

  it('has no Markdown marks, and explains the asterisk of a p99', async () => {
    for (const chapter of sectionsOf(await readCommitted(), [])) {
      const html = await writeHtml([chapter])

      assert.doesNotMatch(html, /\\[*|]/, chapter.key)
      assert.equal(html.includes('A p99 with an asterisk is of fewer than 100 samples'), /\d\*</.test(html), chapter.key)
    }
  })

  it('explains every name in charts and tables: contenders, libraries, families and operations', async () => {
    const chapters = sectionsOf(await readCommitted(), [])
    const told = (key: string): string[] => chapters.filter(chapter => chapter.key === key).flatMap(({ runs }) => runs).flatMap(({ sections }) => sections).flatMap(({ conditions }) => conditions.flat())
    const named = (key: string, title: string): string[] => chapters.filter(chapter => chapter.key === key).flatMap(({ runs }) => runs).flatMap(({ sections }) => sections).flatMap(({ charts }) => charts)
      .flatMap(({ table }) => table.rows.map(row => row[table.columns.findIndex(column => column.title === title)]))

    for (const [key, title] of [['add-dir', 'Implementation'], ['growth', 'Implementation'], ['edits', 'Implementation'], ['edits', 'workload'], ['headers', 'Implementation'], ['store', 'Implementation'], ['layers', 'Layer'], ['reimport', 'phase'], ['large-file', 'phase']]) {
      const names = new Set(named(key, title).filter(name => name !== undefined))

      assert.ok(names.size > 1, key)
      assert.deepEqual([...names].filter(name => !told(key).includes(name)), [], key)
    }

    for (const word of ['nomap', 'nofloat', 'nostr', 'nostrbyts', 'fil']) {
      assert.ok(told('codec').some(what => what.includes(`\`${word}\`: without `)), word)
    }

    assert.deepEqual(['dag-cbor', 'dag-cbor-2', 'borc', 'cbor-x', 'atcute'].filter(codec => !told('codec').includes(codec)), [])
    assert.deepEqual(['cat', 'write', 'cat-subdir', 'write-subdir', 'cp'].filter(operation => !told('headers').includes(operation)), [])
  })

  it('states shared facts of sections once and completely', async () => {
    const chapters = sectionsOf(await readCommitted(), [])

    for (const chapter of chapters) {
      const html = await writeHtml([chapter])
      const text = writeMarkdown([chapter])

      for (const [word, what] of chapter.runs.flatMap(({ sections }) => sections).flatMap(({ conditions }) => conditions)) {
        const shown = `<dt>${escapeText(word)}</dt><dd>${proseHtml(what)}</dd>`

        assert.equal(html.split(shown).length - 1, 1, shown)
        assert.equal(text.split(`- ${word}: ${what}\n`).length - 1, 1, word)
      }
    }

    assert.ok(chapters.some(({ runs }) => runs.some(({ sections }) => sections.length > 1)))
  })

  it('gives the reason for missing items once, for all of them', async () => {
    for (const { key, runs } of sectionsOf(await readCommitted(), [])) {
      for (const { unavailable } of runs.flatMap(({ sections }) => sections)) {
        const shown = byReason(unavailable)

        assert.equal(new Set(shown.map(({ reason }) => reason)).size, shown.length, key)
        assert.deepEqual(unavailable.filter(({ what }) => !shown.some(said => said.what.includes(what))), [], key)
      }
    }

    const [layers] = sectionsOf((await readCommitted()).filter(report => report.case === 'layers'), []).filter(({ key }) => key === 'layers')

    const html = await writeHtml([layers])
    const missing = layers.runs.flatMap(({ sections }) => sections).flatMap(({ unavailable }) => unavailable)
    const reasons = [...new Set(missing.map(({ reason }) => reason))]

    assert.ok(reasons.length < missing.length)
    assert.deepEqual(reasons.map(reason => html.split(reason).length - 1), reasons.map(() => 1))
  })

  it('begins with targets and results, with links to the cases', async () => {
    const reports = await readCommitted()
    const chapters = sectionsOf(reports, [])
    const html = await writeHtml(chapters)
    const summary = html.slice(html.indexOf('aria-label="Summary"'), html.indexOf('<h2 id='))
    const targets = targetsOf(chapters)

    assert.ok(targets.length > 20)
    assert.equal(summary.match(/<tr><td>/g)?.length, targets.length)
    assert.match(summary, new RegExp(`${targets.filter(({ kept }) => kept).length} of ${targets.length} targets are kept\\. Missed: `))

    for (const { of, what, kept } of targets) {
      assert.match(summary, new RegExp(`<a href="#${of}">`))
      assert.ok(html.includes(`<h2 id="${of}">`))
      assert.ok(summary.includes(`<td>${escapeText(what)}</td>`), what)
      assert.ok(summary.includes(kept ? '<td>kept</td>' : '<td>missed</td>'))
    }

    const results = [...summary.matchAll(/<td>(kept|missed)<\/td>/g)].map(([, result]) => result)
    assert.equal(results[0] === 'missed', targets.some(({ kept }) => !kept))
    assert.ok(writeMarkdown(chapters).indexOf(targets[0].what) < writeMarkdown(chapters).indexOf('## add-dir'))
  })

  it('has no summary without judged targets', async () => {
    assert.doesNotMatch(await writeHtml(sectionsOf([], [])), /aria-label="Summary"/)
  })

  it('tells how to measure a missing case, and why one failed', async () => {
    const html = await writeHtml(sectionsOf([], [{ what: 'edits', reason: 'it <broke>' }]))

    assert.match(html, /There are no figures\. It was not run\. <code>npm start -- add-dir<\/code>/)
    assert.match(html, /It failed: it &lt;broke&gt;/)
  })

  it('is also written as Markdown, with the figures of every chart', async () => {
    const text = writeMarkdown(sectionsOf(await readCommitted(), []))

    assert.match(text, /^# Benchmarks of dagfs\n/)
    assert.match(text, /\| dagfs-mem +\| cold +\|/)
    // in Markdown an asterisk by itself begins a stress
    assert.match(text, /\d\\\* +\|/)
    assert.doesNotMatch(text, /\d\* +\|/)
    assert.doesNotMatch(withoutNumberNames(text), /undefined|NaN/)
  })

  it('is written with its reports', async () => {
    const directory = await temporary()
    const reports = await readCommitted()
    const said = await writePage(reports, directory)

    assert.match(said, /report\.html: file:\/\//)
    assert.deepEqual(JSON.parse(await readFile(`${directory}/report.json`, 'utf8')).reports, reports)
    assert.match(await readFile(`${directory}/report.html`, 'utf8'), /^<!DOCTYPE html>/)
  })

  it('fits a phone in a real browser, light and dark, with open tables', async context => {
    const { chromiumArgs, findChromium, howToGetChromium } = await loadBrowsers()
    const executablePath = findChromium()

    if (executablePath === undefined) {
      assert.ok(process.env.CI == null, `no Chromium was found: ${howToGetChromium}`)
      context.skip(`no Chromium was found: ${howToGetChromium}`)

      return
    }

    const directory = await temporary()

    await writePage(await readCommitted(), directory)

    const browser = await chromium.launch({ executablePath, args: chromiumArgs })

    try {
      for (const [colorScheme, { paper }] of [['light', LIGHT], ['dark', DARK]] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: PHONE_WIDTH, height: 640 } })

        await page.goto(pathToFileURL(join(directory, 'report.html')).href)
        await page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true })")

        // what is wide is scrolled within its own box, whatever is outside of it would widen the page
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE_WIDTH, colorScheme)
        assert.deepEqual(await page.evaluate(TEXTS_OUTSIDE), [], colorScheme)
        // whether a target was kept stands at the right of it
        assert.equal(await page.evaluate("document.querySelector('.summary .scroll').scrollWidth <= document.querySelector('.summary .scroll').clientWidth"), true, colorScheme)
        assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), rgb(paper))
      }
    } finally {
      await browser.close()
    }
  })

  it('refuses a report of an unknown case', async () => {
    const [report] = await readCommitted()

    assert.throws(() => sectionsOf([{ ...report, case: 'nope' }], []), /no case nope/)
  })
})

/**
 * What the browser draws of text beyond the drawing that it is in, by the fonts that there are
 */
const TEXTS_OUTSIDE = `[...document.querySelectorAll('svg.chart')].flatMap(chart => {
  const { left, right, top, bottom } = chart.getBoundingClientRect()

  return [...chart.querySelectorAll('text:not([opacity="0"])')]
    .filter(text => {
      const box = text.getBoundingClientRect()

      return box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1
    })
    .map(text => chart.querySelector('title').textContent + ': ' + text.textContent)
})`

function contrast (a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)

  return (light + 0.05) / (dark + 0.05)
}

function rgb (colour: string): string {
  return `rgb(${[1, 3, 5].map(start => parseInt(colour.slice(start, start + 2), 16)).join(', ')})`
}

function luminance (colour: string): number {
  const [red, green, blue] = [1, 3, 5].map(start => parseInt(colour.slice(start, start + 2), 16) / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
