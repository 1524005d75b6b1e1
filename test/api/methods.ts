import ts from 'typescript'
import { doors } from './doors.ts'

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
  const { checker, exports } = doors()
  const found = exports.find(({ name, door }) => name === type && door === 'dagfs')

  if (found === undefined) {
    throw new Error(`the front door exports no ${type}`)
  }

  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(found.symbol))
    .filter(({ name }) => !name.startsWith('#'))
    .map(property => methodOf(checker, property))
    .sort((a, b) => a.name < b.name ? -1 : 1)
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
