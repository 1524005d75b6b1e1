import type { FileHandle } from './file-handle.ts'

// handles are loaded when the first one is opened, so nobody else may name their class
const handles = new WeakSet<FileHandle>()

/** Makes a handle known as one. */
export function register (handle: FileHandle): void {
  handles.add(handle)
}

/** Whether what stands where a path may stand is a handle. */
export function isFileHandle (value: unknown): value is FileHandle {
  return handles.has(value as FileHandle)
}
