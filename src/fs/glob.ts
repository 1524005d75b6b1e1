import { Budget, streamedLimits } from '../budget.ts'
import { absolutePath, joinPath, normalPath } from '../path.ts'
import { checkBoolean, readOptions, toPath, wrongType } from './node-api/arguments.ts'
import { Dirent } from './node-api/dirent.ts'
import type { LimitOptions } from '../budget.ts'
import type { AbortOptions } from '../options.ts'
import type { GlobMatch } from './glob-walk.ts'
import type { PathLike } from './node-api/arguments.ts'
import type { TreeDirectory } from '../tree/index.ts'

/** `limits` are of what is looked at, found or not. Default: 4,000,000 entries, 16,000,000 blocks, 8 GiB */
export interface GlobOptions extends LimitOptions {
  /** Where relative patterns begin. Default: `/` */
  readonly cwd?: PathLike
  /**
   * What to leave out, with everything below it: patterns; or a function, which is asked as Node asks it, about directories
   * that are to be looked into, by their path, and about each name that `**` may stand for. With `withFileTypes` it is given
   * a `Dirent`
   */
  readonly exclude?: readonly string[] | ((found: never) => boolean)
  /** Yield `Dirent`s. Default: false, paths as the pattern reaches them */
  readonly withFileTypes?: boolean
  /** Have `**` follow links to directories, each directory once on a way. Default: false, links that it meets are found and not followed */
  readonly followSymlinks?: boolean
  /**
   * With several patterns, or `.` and `..` within one, fail with a `LimitExceededError` where they reach more than this: what
   * was found is remembered, so that nothing comes twice. A path counts once more for every 256 characters. Default: 1,000,000
   */
  readonly maxEntries?: number
}

/**
 * Finds what patterns match, in the order in which Node's `glob` finds it in directories that are sorted by name.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {InvalidOptionError} where a pattern stands for too much
 * @throws {LimitExceededError} where several patterns reach more than `maxEntries`, or more is looked at than `limits` allow
 */
export async function * glob (openRoot: (options: AbortOptions) => Promise<TreeDirectory>, patterns: string | readonly string[], options: GlobOptions = {}): AsyncGenerator<string | Dirent, undefined> {
  const { cwd = '/', exclude, followSymlinks, withFileTypes = false, maxEntries, limits, signal } = readOptions<GlobOptions>(options)
  const from = normalPath(absolutePath(toPath(cwd, 'glob', 'options.cwd')))
  const budget = Budget.of(limits, streamedLimits, from)
  const list = patternList(patterns, 'patterns')
  const shown = withFileTypes ? dirent : ({ path }: GlobMatch) => path
  // not loaded before it is needed
  const [{ compileGlob, readPattern }, { GlobWalk }] = await Promise.all([import('../glob/index.ts'), import('./glob-walk.ts')])
  const excluded = excludedBy(exclude, from).map(pattern => compileGlob(pattern, { option: 'options.exclude' }))
  const alternatives = list.flatMap(pattern => readPattern(pattern, { option: 'patterns' }))

  const walk = new GlobWalk(await openRoot({ signal }), {
    from,
    followSymlinks: checkBoolean(followSymlinks ?? false, 'options.followSymlinks'),
    remembers: list.length > 1 || alternatives.some(({ texts }) => texts.some((text, i) => (i > 0 || texts.length === 1) && (text === '.' || text === '..'))) || new Set(alternatives.map(({ texts }) => texts[0] === '.')).size > 1,
    maxEntries,
    signal,
    budget,
    isExcluded: path => excluded.some(isMatch => isMatch(path)),
    isLeftOut: match => typeof exclude === 'function' && Boolean((exclude as (found: unknown) => boolean)(shown(match)))
  })

  for await (const match of walk.find(alternatives)) {
    yield shown(match)
  }
}

function patternList (patterns: unknown, argument: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [patterns]
  const wrong = list.findIndex(pattern => typeof pattern !== 'string')

  if (wrong !== -1) {
    throw wrongType(Array.isArray(patterns) ? `${argument}[${wrong}]` : argument, 'of type string', list[wrong])
  }

  return list as readonly string[]
}

/** The patterns that leave out absolute paths. */
function excludedBy (exclude: unknown, from: string): string[] {
  if (exclude === undefined || exclude === null || typeof exclude === 'function') {
    return []
  }

  if (!Array.isArray(exclude)) {
    throw wrongType('options.exclude', 'of type function or an instance of string[]', exclude)
  }

  return patternList(exclude, 'options.exclude').map(pattern => normalPath(pattern.startsWith('/') ? pattern : joinPath(from, pattern)))
}

function dirent ({ name, parentPath, kind }: GlobMatch): Dirent {
  return new Dirent(name, parentPath, kind)
}
