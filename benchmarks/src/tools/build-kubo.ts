import { join } from 'node:path'
import { createInterface } from 'node:readline'
import createDebug from 'debug'
import { execa } from 'execa'
import which from 'which'
import { cached } from './cache-directory.ts'
import { packageRoot } from './package-root.ts'
import type { Progress } from './progress.ts'

const debug = createDebug('bench:add-dir:kubo')

const KUBO_PACKAGE = 'github.com/ipfs/kubo/cmd/ipfs'
const BINARY = process.platform === 'win32' ? 'ipfs.exe' : 'ipfs'

/**
 * Builds the Kubo that `kubo/go.mod` pins and `kubo/go.sum` checks, from Go's
 * module proxy, once for this machine.
 */
export async function buildKubo (progress: Progress, signal: AbortSignal): Promise<string> {
  const inputs = ['kubo/go.mod', 'kubo/go.sum'].map(path => new URL(path, packageRoot))

  const directory = await cached('kubo', inputs, async unfinished => {
    const go = await which('go', { nothrow: true })

    if (go == null) {
      throw new Error('there is no Kubo (neither KUBO_BINARY, nor ipfs on PATH, nor npm\'s kubo) and no Go to build it with')
    }

    const build = execa(go, ['build', '-v', '-trimpath', '-mod=readonly', '-o', join(unfinished, BINARY), KUBO_PACKAGE], {
      cwd: new URL('kubo/', packageRoot),
      cancelSignal: signal
    })
    let steps = 0

    progress('building Kubo, once for this machine (this takes some minutes)')

    // -v names every module that is fetched and every package that is compiled
    for await (const line of createInterface({ input: build.stderr })) {
      debug(line)
      progress(`building Kubo, once for this machine: ${++steps} packages, now ${line}`)
    }

    await build
  })

  return join(directory, BINARY)
}
