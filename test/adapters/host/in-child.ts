import { execFileSync, spawnSync } from 'node:child_process'
import type { SpawnSyncReturns } from 'node:child_process'

/**
 * Runs code in a process of its own, which has `MemoryBlockstore`, `dagfs`, `exportDirectory`, `importDirectory`, and `paths` of the
 * other tests.
 *
 * @param script - what it runs
 * @param node - the command that runs it, as a shell knows it
 */
export function inChild (script: string, node = 'exec "$0"'): SpawnSyncReturns<string> {
  return spawnSync('sh', ['-c', `${node} --disable-warning=ExperimentalWarning --input-type=module --eval "$1"`, process.execPath, withModules(script)], { encoding: 'utf8' })
}

/**
 * Runs code in such a process of a user who may do little, where this one may do anything, and answers what it printed.
 */
export function inChildOfNobody (script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', withModules(`
    if (process.getuid() === 0) {
      await loadAll()
      process.setgid('nogroup')
      process.setuid('nobody')
    }

    ${script}

    // what is loaded when it is first needed: another user may not be able to read this checkout
    async function loadAll () {
      const { mkdtempSync, rmSync } = await import('node:fs')
      const directory = mkdtempSync((await import('node:os')).tmpdir() + '/dagfs-child-')
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      await fs.writeFile('/file', 'content')
      await exportDirectory(fs, directory + '/target', { update: 'content' })
      await importDirectory(fs, directory, { record: directory + '-record' })
      rmSync(directory, { recursive: true })
      rmSync(directory + '-record')
    }
  `)], { encoding: 'utf8' })
}

function withModules (script: string): string {
  // tests run as they are written, or built
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const modules = [
    import.meta.resolve('blockstore-core'),
    ...['../../../src/index', '../../../src/adapters/host/index', './host'].map(name => new URL(`${name}${extension}`, import.meta.url).href)
  ]

  return `
    const [{ MemoryBlockstore }, { dagfs }, { exportDirectory, importDirectory }, { paths }] = await Promise.all(${JSON.stringify(modules)}.map(module => import(module)))
    ${script}
  `
}
