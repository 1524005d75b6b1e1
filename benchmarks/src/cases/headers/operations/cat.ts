import { assertSame, sourceFile } from './source-files.ts'
import type { Operation } from './operation.ts'

export const cat = reading('cat', 'PublicCat10MbFile', '/bench.txt')
export const catSubdirectory = reading('cat-subdir', 'PublicCat10MbFileSubdir', '/subdir/bench.txt')

function reading (key: string, benchmark: string, path: string): Operation {
  return {
    key,
    benchmark,
    describe: `read \`${path}\``,
    files: 1,
    readsOnly: true,
    async prepare (tree, fileBytes) {
      const { bytes, attributes } = sourceFile(path, fileBytes, 'content')

      if (path.startsWith('/subdir')) {
        await tree.mkdir('/subdir')
      }

      await tree.write(path, bytes, attributes)
    },
    source: () => [],
    run: async tree => tree.read(path),
    async verify (_, read, fileBytes) {
      if (typeof read === 'string') {
        throw new Error('nothing was read')
      }

      assertSame(path, read, 'content', fileBytes)
    }
  }
}
