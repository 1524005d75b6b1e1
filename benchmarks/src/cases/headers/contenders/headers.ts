import { packageVersion } from '../../../contenders/package-version.ts'
import type { HeadersContender } from './contender.ts'

/**
 * WNFS v1 as it was, before the document's change
 */
export const headersPb = headers('headers-pb', 'dag-pb, metadata in blocks of its own', '@ipld/dag-pb', async () => ({
  codec: (await import('../layout/pb-headers.ts')).pbHeaders,
  metadata: 'blocks of their own'
}))

/**
 * The document's first step: the codec alone is another one
 */
export const headersCbor = headers('headers-cbor', 'dag-cbor, metadata in blocks of its own', '@ipld/dag-cbor', async () => ({
  codec: (await import('../layout/cbor-headers.ts')).cborHeaders,
  metadata: 'blocks of their own'
}))

/**
 * Its second step: metadata is in the headers
 */
export const headersInlined = headers('headers-inlined', 'dag-cbor, metadata in the headers', '@ipld/dag-cbor', async () => ({
  codec: (await import('../layout/cbor-headers.ts')).cborHeaders,
  metadata: 'inlined'
}))

type HeaderLayout = import('../layout/header.ts').HeaderLayout

function headers (key: string, layout: string, codec: string, load: () => Promise<HeaderLayout>): HeadersContender {
  return {
    key,
    layout,
    verifies: true,
    // as dagfs, whose code cuts them
    chunkBytes: 2 ** 20,
    async open () {
      const [{ headerTree }, loaded] = await Promise.all([import('../layout/header-tree.ts'), load()])

      return {
        version: await packageVersion(codec),
        options: { layout, files: 'as dagfs', records: 'mode, mtime, ctime, the version before' },
        create: async store => headerTree(store, loaded)
      }
    }
  }
}
