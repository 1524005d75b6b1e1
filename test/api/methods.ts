import path from 'node:path'
import ts from 'typescript'
import { repository } from '../architecture/sources.ts'

/**
 * A function of one of the public interfaces, as its declaration and docstring describe it.
 */
export interface Method {
  readonly name: string
  /** False for a property */
  readonly isFunction: boolean
  /** The names of its parameters */
  readonly parameters: readonly string[]
  /** The docstring's first sentence; empty where there is none */
  readonly summary: string
}

/**
 * The functions of an interface or class that the package's front door exports, in the order of their names, those that
 * it inherits among them. The compiler says what they are.
 */
export function methodsOf (type: string): Method[] {
  const { checker, exported } = frontDoor()
  const symbol = exported.find(({ name }) => name === type)

  if (symbol === undefined) {
    throw new Error(`the front door exports no ${type}`)
  }

  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    .filter(({ name }) => !name.startsWith('#'))
    .map(property => methodOf(checker, property))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

let compiled: { readonly checker: ts.TypeChecker, readonly exported: readonly ts.Symbol[] } | undefined

function frontDoor (): { readonly checker: ts.TypeChecker, readonly exported: readonly ts.Symbol[] } {
  if (compiled === undefined) {
    const file = path.join(repository, 'src/index.ts')
    const program = ts.createProgram([file], {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true
    })
    const checker = program.getTypeChecker()
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)

    if (module === undefined) {
      throw new Error(`${file} is no module`)
    }

    compiled = { checker, exported: checker.getExportsOfModule(module).map(symbol => resolved(checker, symbol)) }
  }

  return compiled
}

function resolved (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}

function methodOf (checker: ts.TypeChecker, property: ts.Symbol): Method {
  const [signature] = checker.getTypeOfSymbol(property).getCallSignatures()
  const documentation = ts.displayPartsToString(property.getDocumentationComment(checker))

  return {
    // the compiler's name of a symbol
    name: property.name.replace(/^__@(\w+)@\d+$/, '[Symbol.$1]'),
    isFunction: signature !== undefined,
    parameters: signature?.getParameters().map(({ name }) => name) ?? [],
    summary: firstSentence(documentation)
  }
}

/** Up to a full stop that a space and a capital, or nothing, comes after */
function firstSentence (text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const [sentence] = line.split(/(?<=\.)\s+(?=[A-Z`])/)

  return sentence.replace(/\.$/, '')
}
