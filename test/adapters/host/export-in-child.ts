import { spawnSync } from 'node:child_process'
import type { SpawnSyncReturns } from 'node:child_process'

/**
 * Runs code in a process of its own, which has `MemoryBlockstore`, `dagfs` and `exportDirectory`.
 *
 * @param script - what it runs
 * @param node - the command that runs it, as a shell knows it
 */
export function exportInChild (script: string, node = '"$0"'): SpawnSyncReturns<string> {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const modules = [
    import.meta.resolve('blockstore-core'),
    ...['../../../src/index', '../../../src/adapters/host/index'].map(name => new URL(`${name}${extension}`, import.meta.url).href)
  ]
  const whole = `
    const [{ MemoryBlockstore }, { dagfs }, { exportDirectory }] = await Promise.all(${JSON.stringify(modules)}.map(module => import(module)))
    ${script}
  `

  return spawnSync('sh', ['-c', `${node} --disable-warning=ExperimentalWarning --input-type=module --eval "$1"`, process.execPath, whole], { encoding: 'utf8' })
}
