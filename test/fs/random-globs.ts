import * as node from 'node:fs/promises'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { readPattern } from '../../src/glob/index.ts'
import { dagfs } from '../../src/index.ts'
import { below } from '../seed.ts'
import type { DagFs } from '../../src/index.ts'

/** A tree of the host, and the same in a dagfs, under the same absolute path. */
export interface TwinTrees {
  readonly cwd: string
  readonly fs: DagFs
}

interface Options {
  readonly exclude?: string[]
  readonly withFileTypes?: boolean
  readonly followSymlinks?: boolean
}

export interface GlobCase {
  readonly patterns: string[]
  readonly options: Options
}

const names = ['a', 'b', 'c', '.a', 'ab', 'é', 'A']
const targets = ['a', 'b', '../a', '..', '.', 'nowhere', 'a/b', '../b/c']
const pieces = ['a', 'b', 'c', 'a', 'b', '*', '*', '**', '**', '?', '.a', '.*', 'a*', '*b', '[ab]', '{a,b}', '{a,**}', '{b/c,*}', '!(a)', '+(a|b)', '.', '..', 'é', '@(a|.a)', '{a,./b,../c}']

/** What Node answers otherwise, and when: the answers are told by their paths. */
export const differences: ReadonlyArray<{ readonly why: string, holds(given: GlobCase, byNode: readonly string[], own: readonly string[]): boolean }> = [
  {
    why: 'several patterns that lead into one directory hide what they find from each other',
    holds: ({ patterns }, byNode, own) => patterns.flatMap(pattern => readPattern(pattern, { option: '' })).length > 1 && byNode.every(path => own.includes(path))
  },
  {
    why: 'the directory entry of what `..` leads to is named `..`, or null',
    holds: ({ options }, byNode, own) => options.withFileTypes === true && byNode.length <= own.length && byNode.every(found => own.includes(found) || /^null$| \.\.? true false$/.test(found))
  },
  {
    why: 'with `followSymlinks`, what `..` behind `**` leads to depends on the links that were met before',
    holds: ({ patterns, options }) => options.followSymlinks === true && patterns.some(hasParentBehindAny)
  },
  {
    why: 'behind links, what two ways of a pattern lead to may be found twice',
    holds: ({ patterns }, byNode, own) => patterns.some(pattern => /\*\*.*\*\*/.test(pattern)) && JSON.stringify([...new Set(own)]) === JSON.stringify([...new Set(byNode)])
  },
  {
    why: 'behind `**` and `..`, a second and third `**` have Node find the directories on the way as well',
    holds: ({ patterns }, byNode, own) => patterns.some(pattern => /\*\*.*\.\..*\*\*.*\*\*/.test(pattern)) && withoutDots(byNode) === withoutDots(own)
  },
  {
    why: 'behind `**` and `..`, Node leaves out some directories; of several patterns, it also finds more than of each by itself',
    holds: ({ patterns }, byNode, own) => patterns.some(hasParentBehindAny) && (byNode.every(path => own.includes(path)) || patterns.flatMap(pattern => readPattern(pattern, { option: '' })).length > 1)
  }
]

/** What was found but for the directories on the way, in any order. */
function withoutDots (found: readonly string[]): string {
  return JSON.stringify(found.filter(path => !/^[./]+$/.test(path)).sort())
}

function hasParentBehindAny (pattern: string): boolean {
  return /\*\*.*\.\./.test(pattern)
}

/** Makes random directories, files and links on both sides, some levels below a directory of the host. */
export async function plantTwins (next: () => number, root: string): Promise<TwinTrees> {
  const fs = dagfs({ blockstore: new MemoryBlockstore() })
  const cwd = join(root, 'x/y/z/w')

  await fs.mkdir(cwd, { recursive: true })
  await node.mkdir(cwd, { recursive: true })

  const directories = ['x', 'x/y', 'x/y/z', 'x/y/z/w', 'x/y/z/w', 'x/y/z/w'].map(path => join(root, path))

  for (let i = 0; i < 25; i++) {
    const path = join(directories[below(next, directories.length)], names[below(next, names.length)])
    const kind = below(next, 5)
    const target = targets[below(next, targets.length)]

    try {
      if (kind === 0) {
        await node.symlink(target, path)
        await fs.symlink(target, path)
      } else if (kind === 1) {
        await node.writeFile(path, '', { flag: 'wx' })
        await fs.writeFile(path, '', { flag: 'wx' })
      } else {
        await node.mkdir(path)
        await fs.mkdir(path)
        directories.push(path)
      }
    } catch (err) {
      if (!(err instanceof Error && 'code' in err && err.code === 'EEXIST')) {
        throw err
      }
    }
  }

  return { cwd, fs }
}

/** Patterns and options that meet the tree again and again. */
export function randomGlob (next: () => number, cwd: string): GlobCase {
  for (;;) {
    const patterns = Array.from({ length: below(next, 4) === 0 ? 2 : 1 }, () => randomPattern(next, cwd))
    const isNear = patterns.every(pattern => readPattern(pattern, { option: '' }).every(({ texts }) => (texts[0] !== '' || pattern.startsWith(cwd)) && texts.filter(text => text === '..').length < 3))

    if (isNear) {
      const options = [{}, {}, {}, { withFileTypes: true }, { followSymlinks: true }, { exclude: [randomPattern(next, cwd)] }]

      return { patterns, options: options[below(next, options.length)] }
    }
  }
}

function randomPattern (next: () => number, cwd: string): string {
  const parts = Array.from({ length: 1 + below(next, 4) }, () => pieces[below(next, pieces.length)])
  const begin = ['', '', '', './', '../', `${cwd}/`][below(next, 20)] ?? ''

  return begin + parts.join('/') + (below(next, 8) === 0 ? '/' : '')
}

/** What Node and we find, in order; undefined where the two agree, or differ as the table says. */
export async function faultOfGlob ({ cwd, fs }: TwinTrees, given: GlobCase): Promise<string | undefined> {
  const { patterns, options } = given
  const byNode = (await all(node.glob(patterns, { cwd, ...options } as Parameters<typeof node.glob>[1]))).map(plain)
  const own = (await all(fs.glob(patterns, { cwd, ...options }))).map(plain)

  if (JSON.stringify(own) === JSON.stringify(byNode) || differences.some(({ holds }) => holds(given, byNode, own))) {
    return
  }

  return `${JSON.stringify(given)} in ${cwd}: Node finds ${JSON.stringify(byNode)}, dagfs ${JSON.stringify(own)}`
}

/** Node finds null for some entries. */
function plain (found: null | string | { name: string, parentPath: string, isDirectory(): boolean, isSymbolicLink(): boolean }): string {
  return found === null || typeof found === 'string' ? String(found) : [found.parentPath, found.name, found.isDirectory(), found.isSymbolicLink()].join(' ')
}
