import { hostFiles } from '../../src/pack/files.ts'
import type { Files, OpenFile } from '../../src/pack/files.ts'

/** The host's files, which tell how many bytes were asked for whenever some are read. */
export function watchedFiles (onRead: (count: number) => void): Files {
  return {
    ...hostFiles,

    async open (path, mode): Promise<OpenFile> {
      const file = await hostFiles.open(path, mode)

      return {
        async read (bytes, position) {
          onRead(bytes.byteLength)

          return file.read(bytes, position)
        },
        readNow (bytes, position) {
          onRead(bytes.byteLength)

          return file.readNow(bytes, position)
        },
        write: async (bytes, position) => file.write(bytes, position),
        size: async () => file.size(),
        truncate: async length => file.truncate(length),
        sync: async () => file.sync(),
        close: async () => file.close()
      }
    }
  }
}
