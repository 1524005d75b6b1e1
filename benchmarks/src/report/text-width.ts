/**
 * As wide as a phone has room for; a page may show it larger
 */
export const CHART_WIDTH = 360

/**
 * What is left free around a chart
 */
export const CHART_PADDING = 4

/**
 * Of the font's size, what a digit takes in the widest of common fonts (DejaVu Sans, Verdana), whose letters take
 * less in the mean: text is not measured, so that a chart is the same whatever fonts a machine has
 */
const LETTER_WIDTH = 0.64

/**
 * How wide text is taken to be
 */
export function textWidth (text: string, fontSize: number): number {
  return Math.round(text.length * fontSize * LETTER_WIDTH)
}
