import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

type Root = ReturnType<typeof fromMarkdown>
type Node = Root | Root['children'][number] | { type: string, children?: unknown }

/** The text of every fence of one of the given languages */
export function fences (markdown: string, languages: readonly string[]): string[] {
  return nodes(markdown).flatMap(node => node.type === 'code' && 'lang' in node && languages.includes(node.lang ?? '') ? [node.value] : [])
}

export function headings (markdown: string): string[] {
  return nodes(markdown).filter(node => node.type === 'heading').map(textOf)
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
