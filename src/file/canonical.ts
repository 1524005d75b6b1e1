import { cidKey } from '../codec/index.ts'
import { readFile, readParts } from './read.ts'
import { layoutNumbers } from './recorded-layout.ts'
import { fillFault, formFault, indexLevels } from './verify.ts'
import { writeFile } from './write.ts'
import type { FileLayout } from './layout.ts'
import type { StoredFile } from './write.ts'
import type { BlockReader } from '../blockstore/index.ts'
import type { ReadOptions } from '../budget.ts'
import type { Block, Layout, Part } from '../codec/index.ts'

/**
 * Stores a file as a layout has it. The chunks of a file that is stored so already are not read.
 *
 * @throws {InvalidNodeError} where a block contradicts the length that is claimed for it
 * @throws {LimitExceededError} where the budget ends: a few hostile blocks can stand for 2^50 bytes
 */
export async function canonicalFile (blocks: BlockReader, put: (block: Block) => Promise<void>, file: StoredFile, layout: FileLayout, options: ReadOptions): Promise<StoredFile> {
  if (await isCanonical(blocks, file, layout, options)) {
    return file
  }

  const { signal, budget } = options
  budget?.spend('bytes', file.size)

  return writeFile(put, readFile(blocks, file, 0, file.size, { signal }), layout)
}

async function isCanonical (blocks: BlockReader, { content, size }: StoredFile, layout: FileLayout, options: ReadOptions): Promise<boolean> {
  if (content instanceof Uint8Array && size <= layout.inlineBytes) {
    return true
  }

  // where other chunkers cut is known once the bytes were read
  if (layout.chunker.isFixed !== true) {
    return false
  }

  const numbers = layoutNumbers(layout)

  if (formFault(content, size, numbers) !== undefined) {
    return false
  }

  const levels = indexLevels(size, numbers)

  return content instanceof Uint8Array || levels === 0 || isFilled(blocks, { link: content, length: size }, levels, numbers, options)
}

/** Whether the indexes of a file are those of a layout. */
async function isFilled (blocks: BlockReader, root: Part, levels: number, layout: Layout, { signal, budget }: ReadOptions): Promise<boolean> {
  // a few hostile indexes can stand for 2^50 bytes
  const seen = new Set<string>()
  const waiting = [{ ...root, level: levels }]

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { level } = next
    budget?.spend('blocks', 1)
    const parts = await readParts(blocks, next, levels - level, { signal })

    if (fillFault(parts, level, layout) !== undefined) {
      return false
    }

    for (const part of level === 1 ? [] : parts) {
      const key = `${level} ${part.length} ${cidKey(part.link)}`

      if (!seen.has(key)) {
        seen.add(key)
        waiting.push({ ...part, level: level - 1 })
      }
    }
  }

  return true
}
