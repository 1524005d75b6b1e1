import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askGit } from '../tools/repository.ts'

/**
 * The commit that a checkout is compared with, and why it is this one
 */
export interface Baseline {
  readonly commit: string
  readonly reason: string
  /**
   * The rows that it runs: one that is gone, or does not run there any more, would
   * leave what it watched over unwatched
   */
  readonly rows: readonly string[]
}

export const BASELINE_FILE = 'benchmarks/gate/baseline.json'

/**
 * Reads which commit a repository's checkout is compared with.
 *
 * @throws {Error} where there is no such commit here, where it is HEAD, where HEAD does not come from it, or where it was moved
 * together with the code
 */
export async function readBaseline (root: string): Promise<Baseline> {
  const baseline = parseBaseline(await readFile(join(root, BASELINE_FILE), 'utf8'))

  await requireCommit(root, baseline.commit)
  await requireMovedAlone(root, baseline.commit)

  return baseline
}

function parseBaseline (text: string): Baseline {
  const { commit, reason, rows }: Partial<Record<keyof Baseline, unknown>> = JSON.parse(text)

  if (typeof commit !== 'string' || !/^[0-9a-f]{40}$/.test(commit)) {
    throw new Error(`${BASELINE_FILE}: commit has to be the 40 digits of a commit`)
  }

  if (typeof reason !== 'string' || reason.trim() === '') {
    throw new Error(`${BASELINE_FILE}: reason has to say why the baseline is this commit`)
  }

  if (!Array.isArray(rows) || !rows.every(row => typeof row === 'string')) {
    throw new Error(`${BASELINE_FILE}: rows has to list the rows that the baseline runs`)
  }

  return { commit, reason, rows }
}

async function requireCommit (root: string, commit: string): Promise<void> {
  const head = await askGit(root, 'rev-parse', 'HEAD')

  if (head == null) {
    throw new Error('the gate builds its baseline out of the history, and this is no git repository: clone it with git')
  }

  if (commit === head) {
    throw new Error(`the baseline ${commit} is HEAD itself, with which a comparison says nothing`)
  }

  if (await askGit(root, 'cat-file', '-e', `${commit}^{commit}`) == null) {
    throw new Error(`the baseline ${commit} is not in this clone: get it with ${await askGit(root, 'rev-parse', '--is-shallow-repository') === 'true' ? 'git fetch --unshallow' : `git fetch origin ${commit}`}`)
  }

  if (await askGit(root, 'merge-base', '--is-ancestor', commit, 'HEAD') == null) {
    throw new Error(`HEAD does not come from the baseline ${commit}: where the clone is shallow, git fetch --unshallow; otherwise rebase, or move the baseline in a commit of its own`)
  }
}

/**
 * A commit that makes something slower must not move what it is held against, and
 * nor must changes that are no commit yet. The commit that names a baseline comes
 * after it, so that older ones do not matter.
 */
async function requireMovedAlone (root: string, baseline: string): Promise<void> {
  // on every branch that was merged, too
  for (const moved of await linesOf(root, 'log', '--full-history', '--format=%H', `${baseline}..HEAD`, '--', BASELINE_FILE)) {
    const files = await linesOf(root, 'show', '--format=', '--name-only', moved)

    if (files.some(file => file.startsWith('src/'))) {
      throw new Error(`${BASELINE_FILE} was changed by ${moved}, which also changes src: move the baseline in a commit of its own that says why`)
    }
  }

  const [own, code] = await Promise.all([BASELINE_FILE, 'src'].map(async path => linesOf(root, 'status', '--porcelain', '--', path)))

  if (own.length > 0 && code.length > 0) {
    throw new Error(`${BASELINE_FILE} has changes that are not committed, and so has src: move the baseline in a commit of its own that says why`)
  }
}

async function linesOf (root: string, ...args: string[]): Promise<string[]> {
  return (await askGit(root, ...args) ?? '').split('\n').filter(line => line !== '')
}
