import { changedFiles } from './changed-files.ts'
import type { Files } from '../../src/pack/files/files.ts'

/** The host's files, which tell how many bytes were asked for whenever some are read. */
export function watchedFiles (onRead: (count: number) => void): Files {
  return changedFiles(file => ({
    // a thread would read by it, unseen
    descriptor: undefined,
    async read (bytes, position) {
      onRead(bytes.byteLength)

      return file.read(bytes, position)
    },
    readNow (bytes, position) {
      onRead(bytes.byteLength)

      return file.readNow(bytes, position)
    }
  }))
}
