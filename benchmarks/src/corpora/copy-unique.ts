import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { walk } from './walk.ts'

/**
 * Copies a tree, keeping of all files of equal content only the one that is
 * walked first. Directories and links are kept.
 */
export async function copyUnique (source: string, target: string): Promise<void> {
  const seen = new Set<string>()

  await mkdir(target)

  for await (const { path, hostPath, kind } of walk(source)) {
    const copy = join(target, path)

    if (kind === 'directory') {
      await mkdir(copy, { recursive: true })
      continue
    }

    // a parent is yielded before what it holds, but for the root's own entries
    await mkdir(dirname(copy), { recursive: true })

    if (kind === 'link') {
      await symlink(await readlink(hostPath), copy)
      continue
    }

    const digest = await digestOf(hostPath)

    if (!seen.has(digest)) {
      seen.add(digest)
      await copyFile(hostPath, copy, constants.COPYFILE_FICLONE)
    }
  }
}

async function digestOf (path: string): Promise<string> {
  const hash = createHash('sha256')

  await pipeline(createReadStream(path), hash)

  return hash.digest('base64')
}
