import { dagfsMem } from './dagfs-mem.ts'
import { heliaMfs } from './helia-mfs.ts'
import { wnfs } from './wnfs.ts'
import type { Editor } from './editor.ts'

export * from './editor.ts'

const all: readonly Editor[] = [dagfsMem, heliaMfs, wnfs]

export const editorKeys: readonly string[] = all.map(({ key }) => key)

/**
 * Looks an editor up by its exact key.
 */
export function editorOf (key: string): Editor {
  const editor = all.find(candidate => candidate.key === key)

  if (editor == null) {
    throw new Error(`there is no contender ${key}; there are ${editorKeys.join(', ')}`)
  }

  return editor
}
