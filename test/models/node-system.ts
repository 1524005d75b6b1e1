import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setBase } from './calls.ts'
import type { System } from './calls.ts'

/** A system that can be done with. */
export interface OpenSystem extends System {
  close(): Promise<void>
}

/**
 * The host's own filesystem: relative paths begin at a new temporary directory, which stands for the root.
 */
export async function openNodeSystem (): Promise<OpenSystem> {
  const before = process.cwd()
  const directory = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'dagfs-model-')))
  const handles: System['handles'] = []
  // as the root of a tree that records no modes
  await fs.chmod(directory, 0o755)
  process.chdir(directory)
  setBase(directory)

  return {
    fs,
    handles,
    async close () {
      await Promise.all(handles.map(async handle => handle.close()))
      process.chdir(before)
      setBase('')
      await fs.rm(directory, { recursive: true })
    }
  }
}
