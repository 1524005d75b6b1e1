import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

// what a part's outcome may depend on, from the top of the checkout
const paths = [':/src', ':/test', ':/package.json', ':/package-lock.json', ':(top,exclude)*.md']

/**
 * The commit of a checkout, and behind a `+` some digits that stand for what was changed since; undefined where it is none.
 */
export function commitOf (directory: string): string | undefined {
  const git = (...args: string[]): Buffer => execFileSync('git', ['-C', directory, ...args], { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 })

  try {
    const commit = git('rev-parse', '--short=10', 'HEAD').toString().trim()
    const changes = git('diff', '--binary', 'HEAD', '--', ...paths)
    const added = git('ls-files', '-z', '--full-name', '--others', '--exclude-standard', '--', ...paths).toString().split('\0').filter(name => name !== '')

    if (changes.byteLength + added.length === 0) {
      return commit
    }

    const top = git('rev-parse', '--show-toplevel').toString().replace(/\n$/, '')
    const hash = createHash('sha256').update(changes)
    added.forEach(name => { hash.update(`${name}\0`).update(fs.readFileSync(path.join(top, name))) })

    return `${commit}+${hash.digest('hex').slice(0, 8)}`
  } catch (err) {
    if (isNoCheckout(err)) {
      return undefined
    }

    throw err
  }
}

/** Whether there is no git, or it ended with a failure: outside of a checkout */
function isNoCheckout (err: unknown): boolean {
  return err instanceof Error && ('status' in err || ('code' in err && err.code === 'ENOENT'))
}
