import { loadInternal as load } from '../../tools/load-internal.ts'
import type * as Blockstore from '../../../../dist/src/blockstore/index.js'
import type * as Codec from '../../../../dist/src/codec/index.js'
import type * as Directory from '../../../../dist/src/directory/index.js'
import type * as Browsers from '../../../../dist/test/run/chromium.js'

// rooms of dagfs that the package does not export: the same modules that the
// package itself runs, by their place in its build

export const { blockReader } = await load<typeof Blockstore>('src/blockstore/index.js')
export const { decodeDirectory, encodeBranch, encodeEntry, isLeaf } = await load<typeof Codec>('src/codec/index.js')
export const { buildDirectory, editDirectory } = await load<typeof Directory>('src/directory/index.js')

export type { BlockReader } from '../../../../dist/src/blockstore/index.js'
export type { Block, DirectoryNode, FileEntry } from '../../../../dist/src/codec/index.js'
export type { DirectoryRoot } from '../../../../dist/src/directory/index.js'

/**
 * How the project's own tests find a browser; loaded by those alone who need one
 */
export async function loadBrowsers (): Promise<typeof Browsers> {
  return load<typeof Browsers>('test/run/chromium.js')
}
