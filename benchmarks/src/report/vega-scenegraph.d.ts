// the package has no types of its own, and vega's leave this out
declare module 'vega-scenegraph' {
  export const textMetrics: {
    canvas(use: boolean): void
    width(item: { fontSize?: number }, text: unknown): number
  }
}
