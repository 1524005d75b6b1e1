import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache-directory.ts'
import { npmCi } from './npm-ci.ts'
import { packageRoot } from './package-root.ts'
import type { Progress } from './progress.ts'

const FILES = ['package.json', 'package-lock.json']

/**
 * Installs js-ipfs from its own lock file, once for this machine and outside
 * of the main install: it is deprecated and has 620 dependencies. Returns the
 * directory that holds its node_modules.
 */
export async function installJsIpfs (progress: Progress, signal: AbortSignal): Promise<string> {
  const inputs = FILES.map(name => new URL(`js-ipfs/${name}`, packageRoot))

  return cached('js-ipfs', inputs, async unfinished => {
    for (const [index, name] of FILES.entries()) {
      await cp(fileURLToPath(inputs[index]), join(unfinished, name))
    }

    progress('installing js-ipfs, once for this machine (this takes a minute)')
    await npmCi(unfinished, [], signal)
  })
}
