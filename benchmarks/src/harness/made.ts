import { isAbsolute } from 'node:path'
import { askGit, repositoryRoot } from '../tools/repository.ts'

/**
 * How a report came to be
 */
export interface Made {
  /**
   * What gives such a report again. Places of the machine are named `DIR`
   */
  readonly command: string
  /**
   * What was measured: a commit, with a `+` where the sources had changes; null
   * outside of a repository
   */
  readonly commit: string | null
}

// where a report goes changes nothing of what it says
const WHERE = ['--json', '--report', '--resume']

/**
 * @param args - what followed `npm start --`
 */
export async function describeMade (args: readonly string[]): Promise<Made> {
  return { command: commandOf(args), commit: await commitOf() }
}

export function commandOf (args: readonly string[]): string {
  const said = args
    .flatMap(arg => /^--[^=]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg])
    .filter((arg, index, all) => !WHERE.includes(arg) && !WHERE.includes(all[index - 1]))
    .map(arg => isAbsolute(arg) ? 'DIR' : arg)

  return ['npm start', ...said.length > 0 ? ['--', ...said] : []].join(' ')
}

/**
 * Which commit is measured, with a `+` where the sources have changes; null outside of a
 * repository.
 */
export async function commitOf (): Promise<string | null> {
  const [commit, changes] = await Promise.all([
    askGit(repositoryRoot, 'rev-parse', '--short=12', 'HEAD'),
    askGit(repositoryRoot, 'status', '--porcelain', '--', 'src', 'benchmarks/src', 'package-lock.json')
  ])

  return commit == null || changes == null ? null : `${commit}${changes === '' ? '' : '+'}`
}
