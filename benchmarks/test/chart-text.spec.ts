import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCommitted } from '../src/report/committed.ts'
import { linearTicks, sayShort, sayTick } from '../src/report/quantity.ts'
import { renderChart } from '../src/report/render-chart.ts'
import { sectionsOf } from '../src/report/sections-of.ts'
import { bars, lines } from '../src/report/specs.ts'
import { CHART_WIDTH } from '../src/report/text-width.ts'
import { placedTexts } from './chart-text.ts'
import { CHART } from './chart.ts'
import type { Bar } from '../src/report/specs.ts'

const LONG = ['a contender with a long name', 'another contender', 'a third one, longer than both of them']
const HARD: ReadonlyArray<[string, Readonly<Record<string, unknown>>]> = [
  ['long names, and a title longer than the axis', bars(LONG.map(name => ({ name, series: 'time', value: 1234 })), { title: 'time for a directory, shorter is better', unit: 'ms' })],
  ['long series', bars(LONG.flatMap(series => [{ name: 'a', series, value: 12 }, { name: 'b', series, value: 13_579 }]), { title: 'time', unit: 'µs', scale: 'log' })],
  ['a wide spread', bars([{ name: 'a', series: 'a', value: 1, low: 0.01, high: 98_765 }], { title: 'time', unit: 'ms', scale: 'log' })],
  ['nothing but zeros', bars([{ name: 'a', series: 'a', value: 0 }, { name: 'b', series: 'a', value: 0 }], { title: 'blocks' })],
  ['lines of long series', lines(LONG.flatMap(series => [{ x: 1, y: 0.002, series }, { x: 1e6, y: 98_765, series }]), { title: 'files', scale: 'log' }, { title: 'time for one file', unit: 'µs', scale: 'log' })]
]

describe('the text of a chart', () => {
  it('stays within the drawing', async () => {
    const committed = sectionsOf(await readCommitted(), []).flatMap(({ runs }) => runs).flatMap(({ sections }) => sections).flatMap(({ charts }) => charts)
    const charts = [...committed, CHART, ...HARD.map(([title, spec]) => ({ ...CHART, title, spec }))]

    for (const chart of charts) {
      const texts = placedTexts(await renderChart(chart, 'a'))

      assert.ok(texts.length > 2, chart.title)
      assert.deepEqual(texts.filter(({ left, right }) => left < 0 || right > CHART_WIDTH), [], chart.title)
    }
  })

  it('shows the value of every bar after its end and spread, with its unit', async () => {
    const texts = placedTexts(await renderChart(CHART, 'a'))

    assert.deepEqual(['4.76 ms', '17.6 ms', '14.3 ms'].filter(value => !texts.some(({ text }) => text === value)), [])
    // the samples of the second reach furthest
    assert.ok(placeOf('17.6 ms') > placeOf('4.76 ms'))
    assert.ok(placeOf('17.6 ms') > placeOf('14.3 ms'))

    function placeOf (value: string): number {
      return texts.find(({ text }) => text === value)?.left ?? NaN
    }
  })

  it('needs no legend and no offset if names include the series', async () => {
    const data: Bar[] = [{ name: 'one of 10', series: 'one', value: 1 }, { name: 'one of 20', series: 'one', value: 2 }, { name: 'two of 10', series: 'two', value: 3 }]
    const spec = bars(data, { title: 'blocks' })
    const texts = placedTexts(await renderChart({ ...CHART, spec }, 'a')).map(({ text }) => text)

    assert.ok(texts.includes('one of 10'))
    assert.equal(texts.includes('one'), false)
    assert.equal('yOffset' in Object(spec.encoding), false)
  })

  it('has a legend if names do not include the series', async () => {
    const texts = placedTexts(await renderChart(CHART, 'a')).map(({ text }) => text)

    assert.ok(texts.includes('cold') && texts.includes('warm'))
  })
})

describe('the spread over a bar', () => {
  it('is outlined in the background colour, visible on any bar', async () => {
    const strokes = [...(await renderChart(CHART, 'a')).matchAll(/<line [^>]*stroke="(var\(--(?:card|ink)\))" stroke-width="([\d.]+)"/g)].map(([, colour, width]) => [colour, width])

    assert.deepEqual(strokes, [['var(--card)', '4.5'], ['var(--card)', '4.5'], ['var(--ink)', '1.5'], ['var(--ink)', '1.5']])
  })
})

describe('a short figure', () => {
  for (const [value, unit, said] of [
    [633.4, 'ms', '633 ms'], [0.25, 'ms', '250 µs'], [999, 'ms', '999 ms'], [1000, 'ms', '1 s'], [1001, 'ms', '1 s'], [28_240, 'ms', '28.2 s'], [1_234_567, 'ms', '1,235 s'],
    [0.5, 'µs', '500 ns'], [1500, 'µs', '1.5 ms'], [1023, 'B', '1,023 B'], [1024, 'B', '1 KiB'], [1025, 'B', '1 KiB'], [3 * 2 ** 20, 'B', '3 MiB'],
    [90.61, '%', '90.6 %'], [1789.6, 'MB/s', '1,790 MB/s'], [0.214, 'x', '0.21 x'], [433, '', '433'], [0, 'ms', '0']
  ] as const) {
    it(`for ${value} ${unit} is ${said}`, () => {
      assert.equal(sayShort(value, unit), said)
    })
  }

  it('has all its digits on an axis', () => {
    assert.equal(sayTick(1024, ''), '1,024')
    assert.equal(sayTick(0.0025, ''), '0.0025')
  })

  it('has ticks at round values of the displayed unit', () => {
    assert.deepEqual(linearTicks(12_000, 'ms', 3), [0, 5000, 10_000])
    assert.deepEqual(linearTicks(3500, 'B', 4), [0, 1024, 2048, 3072])
    assert.deepEqual(linearTicks(0.35, 'x', 4), [0, 0.1, 0.2, 0.3])
  })
})
