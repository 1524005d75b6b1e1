import { fileHandles } from './file-handles.ts'
import type { FileHandle } from './file-handle.ts'

/** Whether what stands where a path may stand is a handle. */
export function isFileHandle (value: unknown): value is FileHandle {
  return fileHandles.has(value as object)
}
