import ts from 'typescript'

/**
 * A `console.log` and what it prints, as the comment behind it says or as it did. Lines count from 1.
 */
export interface Print {
  readonly line: number
  readonly text: string
}

/**
 * What an example says that it prints: the comment behind a `console.log`. One that prints several times, in a loop, has them
 * with `, ` between, and `…` stands for what differs each time.
 */
export function announced (source: string): Print[] {
  const file = ts.createSourceFile('example.ts', source, ts.ScriptTarget.Latest, true)
  const prints: Print[] = []

  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression) && node.expression.expression.getText() === 'console.log') {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const comments = ts.getTrailingCommentRanges(source, node.end) ?? []
      comments.forEach(({ pos, end }) => prints.push({ line, text: source.slice(pos, end).replace(/^\/\/\s*/, '') }))
    }

    ts.forEachChild(node, visit)
  }

  visit(file)

  return prints
}

/**
 * What an example printed, as `report-prints.ts` says; all that one `console.log` printed is one of them.
 */
export function printed (stdout: string): Print[] {
  const texts = new Map<number, string[]>()

  for (const report of stdout.split('\n').filter(line => line.startsWith('{"line":'))) {
    const { line, text } = JSON.parse(report) as Print
    texts.set(line, [...texts.get(line) ?? [], text.replace(/\s*\n\s*/g, ' ')])
  }

  return [...texts].map(([line, all]) => ({ line, text: all.join(', ') }))
}

/**
 * What is wrong with the comments of an example, beside what it printed. Those without a comment may print anything.
 */
export function wrongComments (source: string, stdout: string): string[] {
  const actual = new Map(printed(stdout).map(({ line, text }) => [line, text]))

  return announced(source)
    .filter(({ line, text }) => !isMatch(text, actual.get(line)))
    .map(({ line, text }) => `line ${line} says that it prints ${text}, and prints ${actual.get(line) ?? 'nothing'}`)
}

function isMatch (comment: string, text = ''): boolean {
  return new RegExp(`^${comment.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`).test(text)
}
