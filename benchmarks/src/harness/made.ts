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
  /**
   * In how many runs it was measured, each of which but the first went on with what the one before left; absent in older reports
   */
  readonly sittings?: number
}

type Environment = Readonly<Record<string, string | undefined>>

// where a report goes changes nothing of what it says
const WHERE = ['--json', '--report', '--resume']
// what stands for flags that were not given
const VARIABLES = ['ITERATIONS', 'MIN_TIME', 'TEST_PATH']

/**
 * @param args - what followed `npm start --`
 * @param env - whose variables stand for flags
 */
export async function describeMade (args: readonly string[], env: Environment): Promise<Made> {
  return { command: commandOf(args, env), commit: await commitOf() }
}

export function commandOf (args: readonly string[], env: Environment = {}): string {
  return sayCommand(argumentsWithout(WHERE, args), env, withoutPlace)
}

/**
 * Says which command goes on with an interrupted one, on this machine: the one
 * that was given, with the file that keeps what was measured.
 */
export function resumingCommand (args: readonly string[], env: Environment, file: string): string {
  return sayCommand([...argumentsWithout(['--resume'], args), '--resume', file], env, quoted)
}

function sayCommand (args: readonly string[], env: Environment, say: (given: string) => string): string {
  const set = VARIABLES.flatMap(name => env[name] == null || env[name] === '' ? [] : `${name}=${say(env[name])}`)

  return [...set, 'npm start', ...args.length > 0 ? ['--', ...args.map(say)] : []].join(' ')
}

/**
 * Each flag and its value by itself, without those that are named and theirs
 */
function argumentsWithout (flags: readonly string[], args: readonly string[]): string[] {
  return args
    .flatMap(arg => /^--[^=]+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg])
    .filter((arg, index, all) => !flags.includes(arg) && !flags.includes(all[index - 1]))
}

/**
 * As a shell takes it for one word
 */
function quoted (given: string): string {
  return /^[\w./:,@%+=-]+$/.test(given) ? given : `'${given.replaceAll("'", "'\\''")}'`
}

function withoutPlace (given: string): string {
  return isAbsolute(given) ? 'DIR' : given
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
