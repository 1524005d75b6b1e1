import 'vega'

// vega exports it, and its types leave it out
declare module 'vega' {
  export const textMetrics: {
    canvas(use: boolean): void
    width(item: { fontSize?: number }, text: unknown): number
  }
}
