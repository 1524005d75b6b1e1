/** How long the sentences of a page are, in words. */
export interface Prose {
  readonly sentences: number
  readonly mean: number
  /** Nine of ten sentences are as long or shorter */
  readonly p90: number
  readonly longest: string
}

/**
 * Measures the sentences of a page: without fences, tables, comments, headings and what is generated. Code counts as one word.
 */
export function measureProse (markdown: string): Prose {
  const text = markdown
    .replace(/<!-- ([\w -]+): begin -->[\s\S]*?<!-- \1: end -->/g, '')
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^[|#].*$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
  const sentences = text.split(/\n\s*\n|^\s*(?:[-*]|\d+\.)\s/m)
    .flatMap(block => block.replace(/\s+/g, ' ').split(/(?<=[.!?:])\s+(?=["'(*A-Z])/))
    .map(sentence => sentence.trim().split(' '))
    .filter(({ length }) => length > 2)
    .sort((a, b) => a.length - b.length)
  const words = sentences.reduce((sum, { length }) => sum + length, 0)

  return {
    sentences: sentences.length,
    mean: words / Math.max(1, sentences.length),
    p90: sentences[Math.floor(sentences.length * 0.9)]?.length ?? 0,
    longest: sentences.at(-1)?.join(' ') ?? ''
  }
}
