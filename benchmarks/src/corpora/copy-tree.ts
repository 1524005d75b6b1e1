import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { walk } from './walk.ts'
import type { WalkedEntry } from './walk.ts'

/**
 * Decides whether an entry is copied
 */
export type Keep = (entry: WalkedEntry) => Promise<boolean>

/**
 * Copies those entries of a tree that a filter keeps into a new directory.
 */
export async function copyTree (source: string, target: string, keep: Keep): Promise<void> {
  await mkdir(target)

  for await (const entry of walk(source)) {
    if (await keep(entry)) {
      await copyEntry(entry, join(target, entry.path))
    }
  }
}

async function copyEntry ({ kind, hostPath }: WalkedEntry, copy: string): Promise<void> {
  await mkdir(kind === 'directory' ? copy : dirname(copy), { recursive: true })

  if (kind === 'link') {
    await symlink(await readlink(hostPath), copy)
  } else if (kind === 'file') {
    await copyFile(hostPath, copy, constants.COPYFILE_FICLONE)
  }
}

/**
 * Keeps everything.
 */
export function whole (): Keep {
  return async () => true
}

/**
 * Keeps, of all files of equal content, only the one that is walked first.
 */
export function withoutDuplicates (): Keep {
  const seen = new Set<string>()

  return async ({ kind, hostPath }) => {
    if (kind !== 'file') {
      return true
    }

    const digest = await digestOf(hostPath)
    const isNew = !seen.has(digest)

    seen.add(digest)

    return isNew
  }
}

/**
 * Keeps everything but symbolic links.
 */
export function withoutLinks (): Keep {
  return async ({ kind }) => kind !== 'link'
}

async function digestOf (path: string): Promise<string> {
  const hash = createHash('sha256')

  await pipeline(createReadStream(path), hash)

  return hash.digest('base64')
}
