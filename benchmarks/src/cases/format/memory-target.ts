import { MemoryBlockstore } from 'blockstore-core'
import { importInto } from './import-into.ts'
import type { ImportTarget, TargetContext } from './import-target.ts'

export async function memoryTarget ({ source }: TargetContext): Promise<ImportTarget> {
  let store = new MemoryBlockstore()

  const empty = async (): Promise<void> => {
    store = new MemoryBlockstore()
  }

  return {
    prepare: empty,
    add: async inlineBytes => importInto(store, source, inlineBytes),
    clean: empty,
    close: empty
  }
}
