import { cp, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { below } from '../../seed.ts'

const segmentName = /^segment-(\d+)\.car$/

/** Where insults come from */
export interface Sources {
  readonly other: string
  readonly older: string
}

/** Something that was put into a store's directory from without */
export interface Insult {
  readonly what: 'other' | 'older' | 'zeros' | 'empty' | 'directory' | 'store' | 'index'
  readonly name: string
  /** What was put there; undefined for a directory */
  readonly bytes: Uint8Array | undefined
  /** Whether a file of the store was there, which is kept beside it */
  readonly isInPlaceOfOwn: boolean
}

const kinds = ['other', 'other', 'other', 'older', 'zeros', 'empty', 'directory', 'store', 'index'] as const

/** The numbers of the segments in a directory. */
export async function segmentNumbers (directory: string): Promise<number[]> {
  return (await readdir(directory)).flatMap(name => segmentName.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b)
}

/** Puts something foreign into a directory, at a random place; what was there goes into `kept`. */
export async function insult (directory: string, kept: string, { sources, before }: { readonly sources: Sources, readonly before: readonly Insult[] }, next: () => number): Promise<Insult | undefined> {
  const what = kinds[below(next, kinds.length)]
  const name = nameOf(what, await place(directory, next))
  const target = join(directory, name)
  const bytes = await content(what, sources, next)

  if (before.some(made => made.name === name)) {
    return undefined
  }

  const isThere = await lstat(target).then(() => true, () => false)

  if (isThere) {
    await rename(target, join(kept, name))
  }

  if (bytes === undefined) {
    await mkdir(target)
  } else {
    await writeFile(target, bytes)
  }

  return { what, name, bytes, isInPlaceOfOwn: isThere }
}

function nameOf (what: Insult['what'], number: number): string {
  if (what === 'store') {
    return 'store'
  }

  return what === 'index' ? 'index.sqlite' : `segment-${String(number).padStart(8, '0')}.car`
}

async function content (what: Insult['what'], { other, older }: Sources, next: () => number): Promise<Uint8Array | undefined> {
  switch (what) {
    case 'other': case 'older': {
      const from = what === 'other' ? other : older
      const numbers = await segmentNumbers(from)
      const number = numbers[below(next, numbers.length)]

      return readFile(join(from, `segment-${String(number).padStart(8, '0')}.car`))
    }

    case 'zeros': return new Uint8Array(1 + below(next, 10_000))
    case 'empty': return new Uint8Array()
    case 'directory': return undefined
    case 'store': return readFile(join(other, 'store'))
    default: return readFile(join(other, 'index.sqlite'))
  }
}

/** A number: the lowest, lower than all, a gap, one that is there, the last, the next, or far behind. */
async function place (directory: string, next: () => number): Promise<number> {
  const numbers = await segmentNumbers(directory)
  const [first, last] = [numbers[0], numbers[numbers.length - 1]]
  const gaps = Array.from({ length: last - first }, (_, i) => first + i).filter(number => !numbers.includes(number))
  const places = [0, first, Math.max(0, first - 1), gaps[below(next, gaps.length)] ?? first, numbers[below(next, numbers.length)], last, last + 1, last + 2, last + 50]

  return places[below(next, places.length)]
}

/**
 * Takes what is foreign out again and puts the store's own files back. An index that was made while something hid a segment
 * goes, too, as PACK.md says; one made beside another store's segment need not.
 */
export async function undo (directory: string, kept: string, insults: readonly Insult[]): Promise<void> {
  for (const { what, name, bytes, isInPlaceOfOwn } of insults) {
    const target = join(directory, name)

    if (!segmentName.test(name) || bytes === undefined || await hasBytes(target, bytes)) {
      await rm(target, { recursive: true, force: true })
    }

    if (isInPlaceOfOwn) {
      await cp(join(kept, name), target)

      if (segmentName.test(name) && what !== 'other') {
        await rm(join(directory, 'index.sqlite'), { force: true })
      }
    }
  }
}

/** Whether a file is as it was: the store may have begun a segment of its own in the place of an empty one. */
async function hasBytes (file: string, bytes: Uint8Array): Promise<boolean> {
  return readFile(file).then(found => found.equals(bytes), () => false)
}
