import { SeededRandom } from './keystream.ts'

export interface TreeShape {
  readonly files: number
  /**
   * Bytes of all files together
   */
  readonly bytes: number
  /**
   * How many directories deep the deepest file may lie
   */
  readonly depth: number
  /**
   * The share of the files that repeat the content of another one, 0 to 1
   */
  readonly duplicates: number
  readonly seed: string
}

export interface PlannedFile {
  readonly path: string
  /**
   * Files of one content have the same number here
   */
  readonly content: number
  readonly size: number
}

export interface PlannedTree {
  readonly files: readonly PlannedFile[]
  /**
   * Parents before children
   */
  readonly directories: readonly string[]
}

/**
 * Above one chunk, so that every contender has to join blocks
 */
const LARGE_FILE_BYTES = 2 ** 20 + 4_321
const FILES_PER_DIRECTORY = 8

/**
 * What importers are known to get wrong goes into every tree that has room for
 * it: an empty file, dotfiles, names outside ASCII
 */
const SPECIAL_NAMES = ['empty.txt', '.hidden', 'naïve – 文件 😀.txt', 'with space & percent %20.md']
const EMPTY_FILE = 1

/**
 * Lays out a tree from its shape, without touching a disk; the same shape gives
 * the same tree.
 */
export function planTree (shape: TreeShape): PlannedTree {
  assertShape(shape)

  const random = new SeededRandom(shape.seed)
  const directories = planDirectories(shape, random)
  const contents = planContents(shape, random)
  const sizes = planSizes(shape, contents, random)
  const files = contents.map((content, index) => {
    const directory = index <= SPECIAL_NAMES.length ? '' : directories[random.below(directories.length)]
    const name = index > 0 && index <= SPECIAL_NAMES.length ? SPECIAL_NAMES[index - 1] : `${index}-${random.below(2 ** 32).toString(36)}.bin`

    return { path: directory === '' ? name : `${directory}/${name}`, content, size: sizes[content] }
  })

  return { files, directories: [...directories.slice(1), 'empty-directory', '.dot-directory'] }
}

function assertShape ({ files, bytes, depth, duplicates }: TreeShape): void {
  for (const [name, value, least] of [['files', files, 1], ['bytes', bytes, 0], ['depth', depth, 0]] as const) {
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(`${name} must be a whole number, at least ${least}, and is ${value}`)
    }
  }

  if (!(duplicates >= 0 && duplicates <= 1)) {
    throw new RangeError(`duplicates must be a share from 0 to 1, and is ${duplicates}`)
  }
}

/**
 * The first is the root, written ''
 */
function planDirectories ({ files, depth }: TreeShape, random: SeededRandom): string[] {
  const directories = [{ path: '', depth: 0 }]
  const count = depth === 0 ? 0 : Math.max(depth, Math.floor(files / FILES_PER_DIRECTORY))

  for (let index = 0; index < count; index++) {
    // the first ones make one path of the full depth, the others hang anywhere
    const open = directories.filter(directory => directory.depth < depth)
    const parent = index < depth ? directories[index] : open[random.below(open.length)]
    const name = `d${index}`

    directories.push({ path: parent.path === '' ? name : `${parent.path}/${name}`, depth: parent.depth + 1 })
  }

  return directories.map(directory => directory.path)
}

/**
 * Gives every file the number of its content; the special ones are unique
 */
function planContents ({ files, duplicates }: TreeShape, random: SeededRandom): number[] {
  const repeated = Math.min(Math.round(files * duplicates), Math.max(0, files - SPECIAL_NAMES.length - 1))
  const unique = files - repeated

  return Array.from({ length: files }, (_, index) => index < unique ? index : repeatable(unique, random))
}

function repeatable (unique: number, random: SeededRandom): number {
  const special = Math.min(SPECIAL_NAMES.length + 1, unique - 1)

  return special + random.below(unique - special)
}

/**
 * Spreads the bytes over the contents: many small files and few large ones, a
 * large one first where the bytes suffice, an empty one second. The total is
 * exact, for which the first content, which is never repeated, takes the rest.
 */
function planSizes ({ bytes }: TreeShape, contents: readonly number[], random: SeededRandom): number[] {
  const copies: number[] = []

  for (const content of contents) {
    copies[content] = (copies[content] ?? 0) + 1
  }

  const largeBytes = bytes >= 2 * LARGE_FILE_BYTES ? LARGE_FILE_BYTES : 0
  const weights = copies.map((_, content) => content === 0 || content === EMPTY_FILE ? 0 : 2 ** random.below(12) + random.below(2 ** 6))
  const totalWeight = weights.reduce((sum, weight, content) => sum + weight * copies[content], 0)
  const sizes = weights.map(weight => totalWeight === 0 ? 0 : Math.floor((bytes - largeBytes) * weight / totalWeight))

  sizes[0] = bytes - sizes.reduce((sum, size, content) => sum + size * copies[content], 0)

  return sizes
}
