import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root | Root['children'][number] | { type: string, children?: unknown }

/** The text of every fence of one of the given languages */
export function fences (markdown: string, languages: readonly string[]): string[] {
  return nodes(markdown).flatMap(node => node.type === 'code' && 'lang' in node && languages.includes(node.lang ?? '') ? [node.value] : [])
}

/**
 * Puts text between two markers, `<!-- NAME: begin -->` and `<!-- NAME: end -->`.
 *
 * @throws {Error} where a marker is missing
 */
export function betweenMarkers (markdown: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [from, to] = [markdown.indexOf(begin), markdown.indexOf(end)]

  if (from === -1 || to < from) {
    throw new Error(`the page has no ${begin} and ${end}`)
  }

  return `${markdown.slice(0, from + begin.length)}\n\n${text}\n\n${markdown.slice(to)}`
}

export function headings (markdown: string): string[] {
  return nodes(markdown).filter(node => node.type === 'heading').map(textOf)
}

/** Where links and pictures lead, those in HTML too */
export function links (markdown: string): string[] {
  return nodes(markdown).flatMap(node => {
    if ('url' in node && typeof node.url === 'string') {
      return [node.url]
    }

    return node.type === 'html' && 'value' in node && typeof node.value === 'string'
      ? [...node.value.matchAll(/\b(?:src|srcset|href)="([^"]*)"/g)].map(([, url]) => url)
      : []
  })
}

/** What headings can be linked to by, as GitHub has it; a heading that comes again gets a number, which nobody should rely on */
export function anchors (markdown: string): string[] {
  return headings(markdown).map(text => text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-'))
}

/** What stands in backticks in the first cell of every row of every table */
export function firstCells (markdown: string): string[] {
  return nodes(markdown)
    .filter(node => node.type === 'tableRow')
    .flatMap(row => descendants(childrenOf(row)[0]))
    .filter(node => node.type === 'inlineCode')
    .map(textOf)
}

function nodes (markdown: string): Node[] {
  return descendants(fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }))
}

function descendants (node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(descendants)]
}

function childrenOf (node: Node): Node[] {
  return 'children' in node && Array.isArray(node.children) ? node.children : []
}

function textOf (node: Node): string {
  return 'value' in node && typeof node.value === 'string' ? node.value : childrenOf(node).map(textOf).join('')
}
