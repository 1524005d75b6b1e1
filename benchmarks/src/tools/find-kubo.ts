import { createRequire } from 'node:module'
import createDebug from 'debug'
import { execa } from 'execa'
import semver from 'semver'
import which from 'which'
import { buildKubo } from './build-kubo.ts'
import type { Progress } from './progress.ts'

const debug = createDebug('bench:add-dir:kubo')

/**
 * The first release with the profile `unixfs-v1-2025`
 */
const OLDEST_KUBO = '0.40.0'

/**
 * Not a dependency, since it downloads a binary where it is installed
 */
const NPM_PACKAGE = 'kubo'

export interface Kubo {
  readonly binary: string
  readonly foundBy: 'KUBO_BINARY' | 'PATH' | 'npm' | 'build'
}

/**
 * Finds a Kubo that can run: KUBO_BINARY, `ipfs` on PATH, npm's `kubo` where
 * its download worked, or else one that is built once from Go's module proxy.
 * KUBO_BINARY is never passed over: what it names has to work.
 */
export async function findKubo (progress: Progress, signal: AbortSignal): Promise<Kubo> {
  const named = process.env.KUBO_BINARY

  if (named != null && named !== '') {
    const fault = await faultOf(named)

    if (fault != null) {
      throw new Error(`KUBO_BINARY names ${named}, ${fault}`)
    }

    return { binary: named, foundBy: 'KUBO_BINARY' }
  }

  const installed = [
    { binary: await which('ipfs', { nothrow: true }), foundBy: 'PATH' },
    { binary: binaryOfNpmPackage(), foundBy: 'npm' }
  ] as const

  for (const { binary, foundBy } of installed) {
    if (binary == null) {
      continue
    }

    const fault = await faultOf(binary)

    if (fault == null) {
      return { binary, foundBy }
    }

    debug('passing over %s, found by %s, %s', binary, foundBy, fault)
  }

  return { binary: await buildKubo(progress, signal), foundBy: 'build' }
}

/**
 * Returns what is wrong with a binary, or undefined
 */
async function faultOf (binary: string): Promise<string | undefined> {
  const { failed, stdout, shortMessage } = await execa(binary, ['version', '--all'], { reject: false })

  if (failed) {
    return `which does not run: ${shortMessage}`
  }

  // js-ipfs called its command `ipfs` too
  const version = /^Kubo version: (.+)$/m.exec(stdout)?.[1]

  if (version == null) {
    return 'which is not Kubo'
  }

  return semver.gte(version, OLDEST_KUBO)
    ? undefined
    : `which is Kubo ${version} and does not know the profile unixfs-v1-2025 (${OLDEST_KUBO} does)`
}

function binaryOfNpmPackage (): string | undefined {
  const require = createRequire(import.meta.url)

  try {
    const kubo: { path(): string } = require(NPM_PACKAGE)

    return kubo.path()
  } catch (err) {
    // not installed, or installed without its download: kubo.path() throws a
    // plain Error then, so that there is nothing narrower to match
    debug('npm\'s kubo: %s', err)

    return undefined
  }
}
