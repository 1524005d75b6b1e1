import { escapeText } from './escape.ts'
import { DARK, LIGHT, paint } from './palette.ts'
import { renderChart } from './render-chart.ts'
import { CHART_WIDTH } from './text-width.ts'
import type { Chart } from './chart.ts'

/**
 * Larger than on a phone, since a README is read on a desk
 */
const SHOWN_WIDTH = CHART_WIDTH * 1.5

/**
 * Draws the charts that are to be pictures, each for light and for dark readers,
 * by the names of their files.
 */
export async function picturesOf (charts: readonly Chart[]): Promise<Map<string, string>> {
  const pictures = new Map<string, string>()

  for (const chart of charts) {
    const { picture } = chart

    if (picture == null) {
      continue
    }

    if (pictures.has(fileOf(picture, 'light'))) {
      throw new Error(`two charts are the picture ${picture}`)
    }

    const svg = await renderChart(chart, picture)

    pictures.set(fileOf(picture, 'light'), `${paint(svg, LIGHT)}\n`)
    pictures.set(fileOf(picture, 'dark'), `${paint(svg, DARK)}\n`)
  }

  return pictures
}

/**
 * Shows a picture in Markdown, in the theme of its reader.
 * `folder` says where the pictures are, seen from the Markdown's own.
 */
export function showPicture (picture: string, { title, caption }: Chart, folder: string): string {
  return [
    '<picture>',
    `<source media="(prefers-color-scheme: dark)" srcset="${folder}/${fileOf(picture, 'dark')}">`,
    `<img src="${folder}/${fileOf(picture, 'light')}" width="${SHOWN_WIDTH}" alt="${escapeText(`Chart: ${title}`)}">`,
    '</picture>',
    '',
    `**${title}.** ${caption}`
  ].join('\n')
}

function fileOf (picture: string, theme: 'light' | 'dark'): string {
  return `${picture}-${theme}.svg`
}
