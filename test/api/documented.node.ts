import path from 'node:path'
import { expect } from 'aegir/chai'
import ts from 'typescript'
import { fences } from '../architecture/markdown.ts'
import { repository } from '../architecture/sources.ts'
import { doors } from './doors.ts'

/** Interfaces of objects that the package gives to its users, who call their methods. Other interfaces are for users to implement */
const given = ['DagFs', 'DagFsDriver', 'DiskRoots', 'IndexedDbRoots', 'PathEdits', 'ReadonlyDagFs', 'RootStore']

const sources = path.join(repository, 'src') + path.sep

describe('what the entry points export', () => {
  before(function () {
    // to compile them takes 2 s
    this.timeout(60_000)
    doors()
  })

  it('has an example for every function, class and constant', () => {
    const values = doors().exports.map(({ symbol }) => symbol).filter(isValue)

    expect(values.map(({ name }) => name)).to.include.members(['dagfs', 'constants', 'NotFoundError', 'PackBlockstore', 'importDirectory', 'diskRoots', 'dagfsDriver'])
    expectNone(values.filter(symbol => !hasExample(symbol)))
  })

  it('has an example for every method', () => {
    const methods = doors().exports.map(({ symbol }) => symbol).filter(symbol => isClass(symbol) || given.includes(symbol.name)).flatMap(methodsOf)

    expect(methods.map(nameOf)).to.include.members([
      'src/fs/types.ts: DagFs.commit',
      'src/fs/types.ts: ReadonlyDagFs.readFile',
      'src/fs/path-edits.ts: PathEdits.writeFile',
      'src/fs/handle/file-handle.ts: FileHandle.[Symbol.asyncDispose]',
      'src/pack/store.ts: PackBlockstore.get',
      'src/roots/store.ts: RootStore.sync'
    ])
    expectNone(methods.filter(symbol => !hasExample(symbol)))
  })

  it('has a docstring for every type', () => {
    const types = doors().exports.map(({ symbol }) => symbol).filter(symbol => isClass(symbol) || isType(symbol))

    expect(types.map(({ name }) => name)).to.include.members(['FileHandle', 'PackOptions', 'ImportOptions', 'DiskRootsInit', 'DriverOptions', ...given])
    expectNone(types.filter(symbol => !hasText(symbol)))
  })
})

function expectNone (symbols: readonly ts.Symbol[]): void {
  expect([...new Set(symbols.map(nameOf))].sort().join('\n')).to.equal('')
}

function isValue ({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Value) !== 0
}

function isClass ({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Class) !== 0
}

function isType ({ flags }: ts.Symbol): boolean {
  return (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0
}

/** The public methods of a class or interface that `src` declares: not those of Node.js or of the language */
function methodsOf (symbol: ts.Symbol): ts.Symbol[] {
  const { checker } = doors()
  const members = [
    ...checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)),
    ...isClass(symbol) ? checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)) : []
  ]

  return members.filter(member => declarationsOf(member).length > 0 && !isPrivate(member) && isFunction(member))
}

function isPrivate (member: ts.Symbol): boolean {
  return member.name.startsWith('#') ||
    declarationsOf(member).some(declaration => (ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0)
}

function isFunction (member: ts.Symbol): boolean {
  const { checker } = doors()

  return checker.getNonNullableType(checker.getTypeOfSymbol(member)).getCallSignatures().length > 0
}

/** Those in `src` that users are shown: what is `@internal` is not in the package */
function declarationsOf (symbol: ts.Symbol): ts.Declaration[] {
  return (symbol.declarations ?? [])
    .filter(declaration => declaration.getSourceFile().fileName.startsWith(sources))
    .filter(declaration => !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'internal'))
}

/** Whether one of its declarations has an example itself: that of a method which it implements does not count */
function hasExample (symbol: ts.Symbol): boolean {
  return declarationsOf(symbol)
    .flatMap(declaration => ts.getJSDocTags(declaration))
    .some(({ tagName, comment }) => tagName.text === 'example' && fences(ts.getTextOfJSDocComment(comment) ?? '', ['ts']).length > 0)
}

function hasText (symbol: ts.Symbol): boolean {
  return declarationsOf(symbol)
    .flatMap(declaration => ts.getJSDocCommentsAndTags(declaration))
    .some(({ comment }) => (ts.getTextOfJSDocComment(comment) ?? '').trim() !== '')
}

/** The file that declares it, and its name with that of its class or interface */
function nameOf (symbol: ts.Symbol): string {
  const [declaration] = declarationsOf(symbol)
  const { parent } = declaration
  const owner = ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent) ? `${parent.name?.text}.` : ''
  // the compiler's name of a symbol
  const name = symbol.name.replace(/^__@(\w+)@\d+$/, '[Symbol.$1]')

  return `${path.relative(repository, declaration.getSourceFile().fileName)}: ${owner}${name}`
}
