import ts from 'typescript'
import { fences } from '../architecture/markdown.ts'
import { importsOf } from '../architecture/rules.ts'
import { readText, userPages } from '../architecture/sources.ts'

/**
 * A piece of code that the documentation shows.
 */
export interface Example {
  /** The file that shows it */
  readonly file: string
  /** Where it stands */
  readonly title: string
  /** The program to run, which begins with the preamble where the example imports nothing */
  readonly source: string
}

/** What an example without any import begins with: the first lines of code of the page on the API */
const [preamble] = fences(readText('docs/api.md'), ['ts'])

/** The fences of TypeScript in the README and the pages for users */
export function documentExamples (): Example[] {
  return ['README.md', ...userPages].flatMap(file => fences(readText(file), ['ts'])
    .map((source, i) => exampleOf(file, i + 1, source)))
}

/** The files that can be reached from one of the package's doors */
export function reachable (sources: ReadonlyMap<string, string>, doors: readonly string[]): string[] {
  const found = new Set<string>()

  const visit = (file: string): void => {
    const source = sources.get(file)

    if (source !== undefined && !found.has(file)) {
      found.add(file)
      importsOf(file, source).forEach(next => {
        visit(next.file ?? '')
      })
    }
  }

  doors.forEach(visit)

  return [...found].sort()
}

/** The fences of TypeScript in the `@example`s of a file */
export function docstringExamples (file: string, source: string): Example[] {
  const examples: Example[] = []

  const visit = (node: ts.Node): void => {
    for (const documentation of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      for (const tag of documentation.tags ?? []) {
        if (documentation.parent === node && tag.tagName.text === 'example') {
          const text = ts.getTextOfJSDocComment(tag.comment) ?? ''
          fences(text, ['ts']).forEach(fence => examples.push(exampleOf(file, examples.length + 1, fence, ts.getNameOfDeclaration(node as ts.Declaration)?.getText())))
        }
      }
    }

    ts.forEachChild(node, visit)
  }

  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))

  return examples
}

function exampleOf (file: string, number: number, source: string, subject?: string): Example {
  return {
    file,
    title: `${file}, example ${number}${subject === undefined ? '' : ` (${subject})`}`,
    source: /^import /m.test(source) ? source : `${preamble}\n\n${source}`
  }
}
