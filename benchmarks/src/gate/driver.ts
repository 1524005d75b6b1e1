import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'
import { repositoryRoot } from '../tools/repository.ts'

/**
 * Copies the compiled benchmarks, as they lie in a repository, so that compiling
 * them meanwhile changes nothing. Returns the module that the process of a build
 * runs, whichever build it is.
 */
export async function copyDriver (directory: string): Promise<string> {
  const benchmarks = join(directory, 'benchmarks')

  await mkdir(benchmarks, { recursive: true })

  for (const part of ['package.json', 'dist/src']) {
    await cp(fileURLToPath(new URL(part, packageRoot)), join(benchmarks, part), { recursive: true })
  }

  await symlink(join(repositoryRoot, 'node_modules'), join(directory, 'node_modules'))

  return join(benchmarks, 'dist/src/gate/worker.js')
}
