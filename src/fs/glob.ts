import { absolutePath, joinPath } from '../path.ts'
import { resolve } from '../tree/index.ts'
import { entryBudget } from './entry-budget.ts'
import { readOptions, toPath, wrongType } from './node-api/arguments.ts'
import { Dirent } from './node-api/dirent.ts'
import type { AbortOptions } from '../options.ts'
import type { PathLike } from './node-api/arguments.ts'
import type { TreeDirectory, TreeNode } from '../tree/index.ts'
import type { Minimatch } from 'minimatch'

export interface GlobOptions extends AbortOptions {
  /** Where relative patterns begin. Default: `/` */
  readonly cwd?: PathLike
  /** What to leave out, with everything below it: patterns, or a function that is given each path or `Dirent` */
  readonly exclude?: readonly string[] | ((found: never) => boolean)
  /** Answer `Dirent`s. Default: false, paths as the pattern reaches them */
  readonly withFileTypes?: boolean
  /**
   * With several patterns, fail with a `LimitExceededError` where they match more than this: what was found is remembered, so that
   * nothing comes twice. A path counts once more for every 256 characters. Default: 1,000,000
   */
  readonly maxEntries?: number
}

/** What is found: its path as the pattern reaches it, and from the root. */
interface Match {
  readonly path: string
  readonly full: string
  readonly node: TreeNode
}

interface Pattern {
  readonly whole: Minimatch
  /** Matches what something that matches may be below */
  readonly partial: Minimatch
}

/** Where a pattern begins, what stands before its matches, and what of it is to match. */
interface Start {
  readonly directory: string
  readonly prefix: string
  readonly pattern: string
}

/**
 * Finds what patterns match, in the order of the tree and once for each pattern.
 *
 * @throws {ArgumentError} ERR_INVALID_ARG_TYPE
 * @throws {LimitExceededError} where several patterns match more than `maxEntries`
 */
export async function * glob (openRoot: (options: AbortOptions) => Promise<TreeDirectory>, patterns: string | readonly string[], options: GlobOptions = {}): AsyncGenerator<string | Dirent, undefined> {
  const { cwd = '/', exclude, withFileTypes = false, maxEntries, signal } = readOptions<GlobOptions>(options)
  const from = absolutePath(toPath(cwd, 'glob', 'options.cwd'))
  // not loaded before it is needed; the options are Node's
  const { Minimatch } = await import('minimatch')
  const matcher = (pattern: string, partial: boolean): Minimatch => new Minimatch(pattern, { nonegate: true, nocomment: true, windowsPathsNoEscape: true, platform: 'linux', partial })
  const root = await openRoot({ signal })
  const isLeftOut = exclusion(exclude, from, withFileTypes, pattern => matcher(pattern, false))
  const list = patternList(patterns)
  const given = new Set<string>()
  const count = entryBudget(from, maxEntries)

  for (const pattern of list) {
    const start = startOf(pattern, from)
    const search = { whole: matcher(start.pattern, false), partial: matcher(start.pattern, true) }

    for await (const match of matches(root, start, search, isLeftOut, { signal })) {
      if (given.has(match.path)) {
        continue
      }

      // one pattern finds no path twice
      if (list.length > 1) {
        count(match.path)
        given.add(match.path)
      }

      yield withFileTypes ? dirent(match) : match.path
    }
  }
}

function patternList (patterns: string | readonly string[]): readonly string[] {
  const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [patterns]
  const wrong = list.findIndex(pattern => typeof pattern !== 'string')

  if (wrong !== -1) {
    throw wrongType(Array.isArray(patterns) ? `patterns[${wrong}]` : 'patterns', 'of type string', list[wrong])
  }

  return list as readonly string[]
}

function startOf (pattern: string, from: string): Start {
  if (pattern.startsWith('/')) {
    return { directory: '/', prefix: '/', pattern: pattern.replace(/^\/+/, '') }
  }

  const [lead] = /^(?:\.\.?\/+)*/.exec(pattern) ?? ['']
  const up = lead.split('/').filter(part => part === '..').map(part => `${part}/`).join('')

  return { directory: up === '' ? from : joinPath(from, up), prefix: up, pattern: pattern.slice(lead.length) }
}

async function * matches (root: TreeDirectory, start: Start, search: Pattern, isLeftOut: (match: Match) => boolean, options: AbortOptions): AsyncGenerator<Match> {
  const { directory, prefix, pattern } = start
  const found = await directoryAt(root, directory, options)

  if (found === undefined) {
    return
  }

  if (prefix === '' && /^\*\*\/*$/.test(pattern)) {
    yield { path: '.', full: directory, node: found }
  }

  yield * below(found, '', 0)

  async function * below (parent: TreeDirectory, way: string, depth: number): AsyncGenerator<Match> {
    for await (const node of parent.view.list({}, options)) {
      const path = way === '' ? node.name : `${way}/${node.name}`
      const match = { path: prefix + path, full: joinPath(directory, path), node }

      if (isLeftOut(match)) {
        continue
      }

      const isWay = node.kind === 'directory' || (node.kind === 'symlink' && isNamed(node.name, depth))

      if (search.whole.match(path) || (isWay && search.whole.match(`${path}/`))) {
        yield match
      }

      const inside = isWay && search.partial.match(path) ? await enter(match) : undefined

      if (inside !== undefined) {
        yield * below(inside, path, depth + 1)
      }
    }
  }

  async function enter ({ node, full }: Match): Promise<TreeDirectory | undefined> {
    return node.kind === 'directory' ? node : directoryAt(root, full, options)
  }

  /** As in Node, links are followed only where the pattern names them. */
  function isNamed (name: string, depth: number): boolean {
    return search.whole.set.some(parts => parts.length > depth + 1 && parts[depth] === name && parts.slice(0, depth).every(part => typeof part !== 'symbol'))
  }
}

async function directoryAt (root: TreeDirectory, path: string, options: AbortOptions): Promise<TreeDirectory | undefined> {
  try {
    const node = await resolve(root, path, 'glob', options)

    return node.kind === 'directory' ? node : undefined
  } catch (err) {
    // as in Node, what leads nowhere has no matches
    if (err instanceof Error && 'syscall' in err) {
      return
    }

    throw err
  }
}

function exclusion (exclude: unknown, from: string, withFileTypes: boolean, matcher: (pattern: string) => Minimatch): (match: Match) => boolean {
  if (exclude === undefined || exclude === null) {
    return () => false
  }

  if (typeof exclude === 'function') {
    return match => Boolean(exclude(withFileTypes ? dirent(match) : match.path))
  }

  if (!Array.isArray(exclude)) {
    throw wrongType('options.exclude', 'of type function or an instance of string[]', exclude)
  }

  const excluded = patternList(exclude).map(pattern => matcher(pattern.startsWith('/') ? pattern : joinPath(from, pattern)))

  return ({ full, node }) => excluded.some(each => each.match(full) || (node.kind === 'directory' && each.match(`${full}/`)))
}

function dirent ({ full, node }: Match): Dirent {
  return new Dirent(node.name, full.slice(0, full.lastIndexOf('/')) || '/', node.kind)
}
