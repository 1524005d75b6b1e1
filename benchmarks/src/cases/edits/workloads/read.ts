import { timeRun } from '../../../harness/time-run.ts'
import { assertSame, contentOf, nameOf } from './contents.ts'
import type { OpenWorkload, Workload } from './workload.ts'

const DIRECTORY = '/directory'

/**
 * Small files of one directory, read by path from a tree that was just opened
 */
export const read: Workload = {
  key: 'read',
  contenders: ['dagfs-mem', 'helia-mfs', 'wnfs'],
  group: 'read',
  describe: ({ reads, contentBytes }) => `${reads} files of ${contentBytes} bytes in one directory, read by path`,
  operations: ({ reads }) => reads,

  async open (editor, { reads, contentBytes }): Promise<OpenWorkload> {
    const paths = Array.from({ length: reads }, (_, index) => `${DIRECTORY}/${nameOf(index)}`)
    const tree = await editor.create()

    await tree.mkdir(DIRECTORY)

    for (const [index, path] of paths.entries()) {
      await tree.write(path, contentOf(index, contentBytes))
    }

    const cid = await tree.commit()
    let last: Uint8Array[] = []

    return {
      async round () {
        const stored = await tree.reopen()
        const { ms, result } = await timeRun(async () => {
          const contents = []

          for (const path of paths) {
            contents.push(await stored.read(path))
          }

          return contents
        })

        last = result

        return { ms, cid }
      },
      verifiesEvery: true,
      async verify () {
        if (last.length !== reads) {
          throw new Error(`${reads} files were to be read, and ${last.length} were`)
        }

        for (const [index, content] of last.entries()) {
          assertSame(paths[index], content, contentOf(index, contentBytes))
        }
      }
    }
  }
}
