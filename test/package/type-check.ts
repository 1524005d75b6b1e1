import path from 'node:path'
import ts from 'typescript'

const strict: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  target: ts.ScriptTarget.ES2023
}

/** How an app for Node.js is compiled */
export const nodeApp: ts.CompilerOptions = {
  ...strict,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node']
}

/** How a page is compiled: no types of Node.js are there */
export const pageApp: ts.CompilerOptions = {
  ...strict,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: []
}

/**
 * Type-checks files of a directory and says what is wrong with them.
 */
export function typeErrors (directory: string, files: readonly string[], options: ts.CompilerOptions): string[] {
  const typeRoots = [path.join(directory, 'node_modules/@types')]
  const program = ts.createProgram(files.map(file => path.join(directory, file)), { ...options, typeRoots })

  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const text = ts.flattenDiagnosticMessageText(messageText, '\n')

    if (file === undefined || start === undefined) {
      return text
    }

    const { line, character } = file.getLineAndCharacterOfPosition(start)

    return `${path.relative(directory, file.fileName)}:${line + 1}:${character + 1}: ${text}`
  })
}

/** The JavaScript that is left when the types are taken away */
export function withoutTypes (source: string): string {
  return ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true } }).outputText
}
