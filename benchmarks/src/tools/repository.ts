import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { packageRoot } from './package-root.ts'

/**
 * The checkout that the benchmarks belong to
 */
export const repositoryRoot = fileURLToPath(new URL('..', packageRoot))

/**
 * Asks git about a repository; undefined where git says no.
 */
export async function askGit (root: string, ...args: string[]): Promise<string | undefined> {
  const { failed, stdout } = await execa('git', args, { cwd: root, reject: false })

  return failed ? undefined : stdout
}
