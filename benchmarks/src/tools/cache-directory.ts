import { createHash } from 'node:crypto'
import { access, constants, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import createDebug from 'debug'
import envPaths from 'env-paths'
import { packageRoot } from './package-root.ts'

const debug = createDebug('bench:add-dir:cache')

/**
 * Returns a directory that outlives the checkout where the user's cache can be
 * written, so that no clone builds Kubo again, or else one inside of it.
 */
async function cacheRoot (): Promise<string> {
  const outside = envPaths('dagfs-benchmarks', { suffix: '' }).cache

  try {
    await mkdir(outside, { recursive: true })
    await access(outside, constants.W_OK)

    return outside
  } catch (err) {
    if (!isUnwritable(err)) {
      throw err
    }

    const inside = fileURLToPath(new URL('.cache', packageRoot))

    debug('%s cannot be written (%s), using %s', outside, err.code, inside)
    await mkdir(inside, { recursive: true })

    return inside
  }
}

function isUnwritable (err: unknown): err is NodeJS.ErrnoException {
  return err instanceof Error && 'code' in err && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT'].includes(String(err.code))
}

/**
 * Returns the cached directory that `fill` makes from the given inputs, files or
 * texts, filling it first where it is not there. It appears whole or not at all, so two
 * processes may fill it at once, and changed inputs make another one.
 */
export async function cached (name: string, inputs: ReadonlyArray<URL | string>, fill: (directory: string) => Promise<void>): Promise<string> {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`)

  for (const input of inputs) {
    hash.update(typeof input === 'string' ? input : await readFile(input))
  }

  const directory = join(await cacheRoot(), `${name}-${hash.digest('hex').slice(0, 16)}`)

  if (await exists(directory)) {
    debug('found %s', directory)

    return directory
  }

  const unfinished = await mkdtemp(join(dirname(directory), `${name}-unfinished-`))

  try {
    await fill(unfinished)
    await moveUnlessThere(unfinished, directory)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }

  return directory
}

async function moveUnlessThere (from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (err) {
    if (!await exists(to)) {
      throw err
    }
  }
}

async function exists (path: string): Promise<boolean> {
  try {
    await access(path)

    return true
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return false
    }

    throw err
  }
}
