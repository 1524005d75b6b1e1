import { existsSync } from 'node:fs'
import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../../src/index.ts'
import type { Fs } from './calls.ts'

/** More levels than a path leads up: forty links of one level each, and what the path itself has. Nothing else of the host is reached. */
const levels = 48

/** The same directory on the host and in a dagfs, by the same path. */
export interface Twins {
  /** All that is the test's own */
  readonly top: string
  readonly base: string
  readonly host: Fs
  readonly own: Fs
  close(): Promise<void>
}

/** Makes the directory in memory where the host has such a place. Relative paths begin at the root on both sides. */
export async function openTwins (): Promise<Twins> {
  const top = await node.mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'dagfs-paths-'))
  const base = top + '/d'.repeat(levels)
  const [directory, mask] = [process.cwd(), process.umask(0o022)]
  process.chdir('/')
  // only what a dagfs has of `node:fs/promises` is called
  const own = dagfs({ blockstore: new MemoryBlockstore() }) as unknown as Fs

  for (const fs of [node, own]) {
    await fs.mkdir(base, { recursive: true })
  }

  return {
    top,
    base,
    host: node,
    own,
    async close () {
      process.chdir(directory)
      process.umask(mask)
      await node.rm(top, { recursive: true, force: true })
    }
  }
}

/** All that is in a directory and in those above it that paths lead to, a line for each entry. */
export async function linesOf (fs: Fs, base: string): Promise<string[]> {
  const lines = new Set<string>()
  const waiting = ['.', '..', '../..', '../../..'].map(above => join(base, above))

  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const name of await namesIn(fs, directory)) {
      const path = join(directory, name)
      const stats = await fs.lstat(path)

      if (stats.isDirectory()) {
        waiting.push(path)
      }

      lines.add(`${path} ${stats.mode} ${await contentOf(fs, path, stats)}`)
    }
  }

  return [...lines].map(line => line.replaceAll(base, '@')).toSorted()
}

/** None where a directory above was removed. */
async function namesIn (fs: Fs, directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory)
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return []
    }

    throw err
  }
}

async function contentOf (fs: Fs, path: string, stats: Awaited<ReturnType<Fs['lstat']>>): Promise<string> {
  if (stats.isDirectory()) {
    return 'directory'
  }

  return stats.isSymbolicLink() ? `-> ${await fs.readlink(path)}` : fs.readFile(path, 'utf8')
}
