import { loadInternal } from '../../tools/load-internal.ts'
import type * as Encode from '../../../../dist/src/codec/encode.js'
import type * as Codec from '../../../../dist/src/codec/index.js'

// what the package does not export: the same modules that it runs itself

export const { createBlock, dagCborCode, decodeDirectory, encodeEntry, encodeLeaf, findInDirectory, rawCode, readProperty } = await loadInternal<typeof Codec>('src/codec/index.js')
export const { encode } = await loadInternal<typeof Encode>('src/codec/encode.js')
