import { fileURLToPath } from 'node:url'
import { workerFile } from '../src/threads/index.ts'

/** Where the file of another process stands, seen from a test's module, compiled or not. */
export function childFile (module: string, name: string): string {
  return fileURLToPath(workerFile(module, name))
}
