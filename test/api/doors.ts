import path from 'node:path'
import ts from 'typescript'
import { readManifest, repository, sourceOf } from '../architecture/sources.ts'

/**
 * Something that an entry point of the package exports.
 */
export interface Export {
  readonly name: string
  /** The entry point, as users import it */
  readonly door: string
  readonly symbol: ts.Symbol
}

export interface Doors {
  readonly checker: ts.TypeChecker
  readonly exports: readonly Export[]
}

let compiled: Doors | undefined

/**
 * What the entry points of the package export, as the compiler sees their sources.
 */
export function doors (): Doors {
  compiled ??= compile()

  return compiled
}

function compile (): Doors {
  const files = Object.entries(readManifest().exports)
    .map(([door, built]) => ({ door: path.posix.join('dagfs', door), file: path.join(repository, 'src', sourceOf(built.default)) }))
  const program = ts.createProgram(files.map(({ file }) => file), {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true
  })
  const checker = program.getTypeChecker()

  const exports = files.flatMap(({ door, file }) => {
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)

    if (module === undefined) {
      throw new Error(`${file} is no module`)
    }

    return checker.getExportsOfModule(module).map(symbol => ({ name: symbol.name, door, symbol: resolved(checker, symbol) }))
  })

  return { checker, exports }
}

function resolved (checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
}
