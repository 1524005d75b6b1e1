import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'
import { repositoryRoot } from '../tools/repository.ts'

/**
 * What tells the code that is measured from other code
 */
export interface CodeIdentity {
  readonly commit: string | null
  /**
   * A hash of what runs, where the commit does not say it
   */
  readonly code?: string
}

/**
 * What the sources of the package and of the benchmarks compile to
 */
const COMPILED = [join(repositoryRoot, 'dist/src'), fileURLToPath(new URL('dist/src', packageRoot))]

/**
 * @param commit - as `commitOf` gives it: behind a `+` is anything, and outside of a repository too
 */
export async function identifyCode (commit: string | null, directories: readonly string[] = COMPILED): Promise<CodeIdentity> {
  return commit?.endsWith('+') === false ? { commit } : { commit, code: await hashModules(directories) }
}

async function hashModules (directories: readonly string[]): Promise<string> {
  const hash = createHash('sha256')

  for (const directory of directories) {
    const modules = (await readdir(directory, { recursive: true })).filter(file => file.endsWith('.js')).sort()

    for (const file of modules) {
      const bytes = await readFile(join(directory, file))

      hash.update(`${file} ${bytes.byteLength}\n`).update(bytes)
    }
  }

  return hash.digest('hex')
}
