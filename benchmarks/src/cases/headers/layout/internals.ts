import { loadInternal as load } from '../../../tools/load-internal.ts'
import type * as Blockstore from '../../../../../dist/src/blockstore/index.js'
import type * as File from '../../../../../dist/src/file/index.js'

// rooms of dagfs that the package does not export: the files of all layouts are
// to become the same blocks, by the same code

export const { blockReader, blockWriter } = await load<typeof Blockstore>('src/blockstore/index.js')
export const { dagfs1, readFile, writeFile } = await load<typeof File>('src/file/index.js')
