import { figure } from '../../harness/markdown.ts'
import type { StoreKey } from './options.ts'

export function sizeOf (bytes: number): string {
  return bytes < 2 ** 20 ? `${figure(bytes / 1024, 1)} KiB` : `${figure(bytes / 2 ** 20, 1)} MiB`
}

export function storeOf (store: StoreKey): string {
  return store === 'memory' ? 'in memory' : 'on disk'
}
