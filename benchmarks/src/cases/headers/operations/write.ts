import { assertSame, sourceFile } from './source-files.ts'
import type { Operation } from './operation.ts'

export const write = writing('write', 'PublicWrite10MbFile', '/bench.txt')
export const writeSubdirectory = writing('write-subdir', 'PublicWrite10MbFileSubdir', '/subdir/bench.txt')

function writing (key: string, benchmark: string, path: string): Operation {
  return {
    key,
    benchmark,
    describe: `write other bytes to \`${path}\`, and commit`,
    files: 1,
    readsOnly: false,
    async prepare (tree, fileBytes) {
      const { bytes, attributes } = sourceFile(path, fileBytes, 'content before')

      if (path.startsWith('/subdir')) {
        await tree.mkdir('/subdir')
      }

      await tree.write(path, bytes, attributes)
    },
    source: fileBytes => [sourceFile(path, fileBytes, 'content', 1)],
    async run (tree, [{ bytes, attributes }]) {
      await tree.write(path, bytes, attributes)

      return tree.commit()
    },
    async verify (tree, _, fileBytes) {
      assertSame(path, await (await tree.reopen()).read(path), 'content', fileBytes)
    }
  }
}
