import { Error as ErrorLevel, View, logger, parse, textMetrics } from 'vega'
import { compile } from 'vega-lite'
import { escapeText } from './escape.ts'
import { CONFIG } from './palette.ts'
import { CHART_WIDTH, textWidth } from './text-width.ts'
import type { Chart } from './chart.ts'
import type { TopLevelSpec } from 'vega-lite'

const OPENING = /^<svg [^>]*viewBox="([^"]+)"[^>]*>/
const LONG_FRACTION = /-?\d+\.\d{4,}(?:e-\d+)?/g

/**
 * Draws a chart as SVG, with a title and a description for those who hear it.
 * Its colours are variables of CSS. The same chart gives the same bytes on every
 * machine.
 */
export async function renderChart ({ title, caption, spec }: Chart, id: string): Promise<string> {
  estimateText()

  // what cases give is not of vega's types, so that they need not know it
  const given = { ...spec, width: CHART_WIDTH, autosize: { type: 'fit-x', contains: 'padding' } } as unknown as TopLevelSpec
  const view = new View(parse(compile(given, { config: CONFIG, logger: STRICT }).spec), { logger: STRICT })

  try {
    const svg = await view.toSVG()

    if (!OPENING.test(svg)) {
      throw new Error(`what was drawn of ${title} does not begin as SVG does`)
    }

    return svg
      // the last digits of a fraction are nothing that anybody sees
      .replaceAll(LONG_FRACTION, number => String(Math.round(Number(number) * 1000) / 1000))
      .replace(OPENING, (_, viewBox) => `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="${viewBox}" role="img" aria-labelledby="${id}-title ${id}-desc"><title id="${id}-title">${escapeText(title)}</title><desc id="${id}-desc">${escapeText(caption)}</desc>`)
  } finally {
    view.finalize()
  }
}

// vega would write what is wrong with a chart to the console, and draw on
const STRICT = logger(ErrorLevel, undefined, (_method, _level, messages) => {
  throw new Error(`a chart cannot be drawn: ${messages.map(String).join(' ')}`)
})

function estimateText (): void {
  textMetrics.canvas(false)
  textMetrics.width = (item: { fontSize?: number }, text: unknown) => textWidth(String(text), item.fontSize ?? 11)
}
