import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keystream } from './keystream.ts'
import { planTree } from './plan-tree.ts'
import type { TreeShape } from './plan-tree.ts'

/**
 * Writes a seeded tree into a directory, which must not exist yet.
 */
export async function generateTree (directory: string, shape: TreeShape): Promise<void> {
  const { directories, files } = planTree(shape)

  await mkdir(directory)

  for (const path of directories) {
    await mkdir(join(directory, path))
  }

  for (const { path, content, size } of files) {
    await writeFile(join(directory, path), keystream(`${shape.seed}/${content}`, size), { flag: 'wx' })
  }
}
