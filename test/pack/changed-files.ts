import { hostFiles } from '../../src/pack/files/files.ts'
import type { Files, OpenFile } from '../../src/pack/files/files.ts'

/**
 * The host's files, of which some operations are others.
 *
 * @param change - told of each file that is opened, as the host has it, and answers what it does otherwise
 */
export function changedFiles (change: (file: OpenFile, path: string) => Partial<OpenFile>): Files {
  return {
    ...hostFiles,

    async open (path, mode): Promise<OpenFile> {
      const file = await hostFiles.open(path, mode)

      return {
        descriptor: file.descriptor,
        read: async (bytes, position) => file.read(bytes, position),
        readNow: (bytes, position) => file.readNow(bytes, position),
        write: async (bytes, position) => file.write(bytes, position),
        size: async () => file.size(),
        isAt: path => file.isAt(path),
        state: () => file.state(),
        truncate: async length => file.truncate(length),
        sync: async () => file.sync(),
        close: async () => file.close(),
        ...change(file, path)
      }
    }
  }
}
