import { cat, catSubdirectory } from './cat.ts'
import { copyIn } from './copy-in.ts'
import { write, writeSubdirectory } from './write.ts'
import type { Operation } from './operation.ts'

export type { Operation, Source } from './operation.ts'

const all: readonly Operation[] = [cat, write, catSubdirectory, writeSubdirectory, copyIn]

export const operationKeys: readonly string[] = all.map(({ key }) => key)

/**
 * Looks an operation up by its exact key.
 */
export function operationOf (key: string): Operation {
  const operation = all.find(candidate => candidate.key === key)

  if (operation == null) {
    throw new Error(`there is no operation ${key}; there are ${operationKeys.join(', ')}`)
  }

  return operation
}
