import { textWidth } from '../src/report/text-width.ts'

export interface PlacedText {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly y: number
}

const TAG = /<(\/?)(g|text)\b([^>]*)>([^<]*)/g

/**
 * Where the visible text of a drawing stands, as wide as the layout takes it to be.
 */
export function placedTexts (svg: string): PlacedText[] {
  const origins: Array<{ x: number, y: number }> = [{ x: 0, y: 0 }]
  const found: PlacedText[] = []

  for (const [, closes, name, attributes, content] of svg.matchAll(TAG)) {
    if (closes !== '') {
      origins.pop()
      continue
    }

    const [, dx = '0', dy = '0'] = /transform="translate\(([-\d.]+),([-\d.]+)\)/.exec(attributes) ?? []
    const origin = { x: origins[origins.length - 1].x + Number(dx), y: origins[origins.length - 1].y + Number(dy) }

    origins.push(origin)

    if (name === 'text' && !attributes.includes('opacity="0"')) {
      const text = content.replaceAll(/&[a-z]+;/g, '?')
      const width = textWidth(text, Number(/font-size="([\d.]+)px"/.exec(attributes)?.[1]))
      const left = origin.x - width * SHARE_LEFT[/text-anchor="(\w+)"/.exec(attributes)?.[1] ?? 'start']

      found.push({ text: content, left, right: left + width, y: origin.y })
    }
  }

  return found
}

const SHARE_LEFT: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 }
