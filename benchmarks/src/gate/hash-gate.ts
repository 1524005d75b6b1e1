import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'esbuild'

/**
 * What makes the builds, measures and decides, and the process that it measures in
 */
const ENTRIES = ['with-builds.js', 'compare-builds.js', 'worker.js']

/**
 * Hashes what the gate measures and decides with: all that the entries load of the gate's compiled directory, without
 * comments, and whatever its variables are called. What lies elsewhere, such as the operations of cases, is not in it: like the
 * library itself, it is what the gate is tried on.
 */
export async function hashGate (directory: string = fileURLToPath(new URL('.', import.meta.url))): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map(entry => join(directory, entry)),
    bundle: true,
    format: 'esm',
    minify: true,
    outdir: directory,
    packages: 'external',
    platform: 'node',
    plugins: [onlyWithin(directory)],
    write: false
  })
  const hash = createHash('sha256')

  for (const { contents } of outputFiles) {
    hash.update(contents)
  }

  return hash.digest('hex').slice(0, 16)
}

function onlyWithin (directory: string): Plugin {
  return {
    name: 'only-within',
    setup ({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) => resolve(resolveDir, path).startsWith(join(directory, '/')) ? undefined : { path, external: true })
    }
  }
}
