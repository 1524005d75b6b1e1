import { assertSame, sourceFile } from './source-files.ts'
import type { Operation } from './operation.ts'

const DIRECTORIES = 10
const TARGET = '/copy_me'

/**
 * Ten directories of one file each, which come from elsewhere, as in the original
 */
export const copyIn: Operation = {
  key: 'cp',
  benchmark: 'PublicCp10DirectoriesWithOne10MbFileEach',
  describe: `copy ${DIRECTORIES} directories of one file each into \`${TARGET}\`, and commit`,
  files: DIRECTORIES,
  readsOnly: false,
  prepare: async () => {},
  source: fileBytes => Array.from({ length: DIRECTORIES }, (_, number) => sourceFile(pathOf(number), fileBytes, seedOf(number), number)),
  async run (tree, source) {
    await tree.copyIn(TARGET, source)

    return tree.commit()
  },
  async verify (tree, _, fileBytes) {
    const stored = await tree.reopen()
    const names = (await stored.names(TARGET)).sort()

    if (names.join() !== Array.from({ length: DIRECTORIES }, (_, number) => `dir_${number}`).join()) {
      throw new Error(`${TARGET} was left with ${names.join(', ')}`)
    }

    for (let number = 0; number < DIRECTORIES; number++) {
      const path = `${TARGET}/${pathOf(number)}`

      assertSame(path, await stored.read(path), seedOf(number), fileBytes)
    }
  }
}

function pathOf (number: number): string {
  return `dir_${number}/bench.txt`
}

function seedOf (number: number): string {
  return `copied ${number}`
}
