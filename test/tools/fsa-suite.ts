import { nodeToFsa } from '@jsonjoy.com/fs-node-to-fsa'
import { expect } from 'aegir/chai'
import all from 'it-all'

type NodeFsaFs = Parameters<typeof nodeToFsa>[0]
type DirectoryHandle = ReturnType<typeof nodeToFsa>

/** What the adapter uses of a filesystem where no synchronous access is asked for. */
export interface FsaPlace {
  readonly promises: object
  readonly constants: object
  readonly directory: string
}

/**
 * The File System Access API over an `fs`.
 */
export function fsaSuite (name: string, open: () => Promise<FsaPlace> | FsaPlace): void {
  describe(`a FileSystemDirectoryHandle on ${name}`, () => {
    let root: DirectoryHandle

    beforeEach(async () => {
      const { promises, constants, directory } = await open()
      // its type asks for synchronous functions as well, which only synchronous access handles call
      root = nodeToFsa({ promises, constants } as unknown as NodeFsaFs, directory, { mode: 'readwrite' })
    })

    it('creates files and directories, and finds them again', async () => {
      const directory = await root.getDirectoryHandle('notes', { create: true })
      const file = await directory.getFileHandle('today.md', { create: true })

      expect(file.kind).to.equal('file')
      expect(file.name).to.equal('today.md')
      expect(await root.resolve(file)).to.deep.equal(['notes', 'today.md'])
      expect(await (await root.getDirectoryHandle('notes')).getFileHandle('today.md')).to.have.property('name', 'today.md')
    })

    it('writes, reads and truncates', async () => {
      await write('a.txt', 'something long')
      await write('a.txt', 'short')

      expect(await read('a.txt')).to.equal('short')
    })

    it('writes at a position, and keeps existing data if asked to', async () => {
      await write('a.txt', 'hello world')
      const writable = await (await root.getFileHandle('a.txt')).createWritable({ keepExistingData: true })
      await writable.write({ type: 'write', position: 6, data: 'there' })
      await writable.write({ type: 'truncate', size: 9 })
      await writable.close()

      expect(await read('a.txt')).to.equal('hello the')
    })

    it('writes more than a chunk', async () => {
      const bytes = Uint8Array.from({ length: 2_500_000 }, (_, i) => (i * 31) % 251)
      const writable = await (await root.getFileHandle('large.bin', { create: true })).createWritable()
      await writable.write(bytes.subarray(0, 1_000_000))
      await writable.write(bytes.subarray(1_000_000))
      await writable.close()

      const file = await (await root.getFileHandle('large.bin')).getFile()
      expect(file.size).to.equal(bytes.byteLength)
      expect(new Uint8Array(await file.arrayBuffer())).to.deep.equal(bytes)
    })

    it('leaves the file unchanged after an aborted write', async () => {
      await write('a.txt', 'kept')
      const writable = await (await root.getFileHandle('a.txt')).createWritable()
      await writable.write('lost')
      await writable.abort()

      expect(await read('a.txt')).to.equal('kept')
      expect(await all(root.keys())).to.deep.equal(['a.txt'])
    })

    it('lists entries with their kinds', async () => {
      await write('b.txt', 'b')
      await root.getDirectoryHandle('a', { create: true })

      expect((await all(root.entries())).map(([entryName, handle]) => `${entryName} ${handle.kind}`).sort()).to.deep.equal(['a directory', 'b.txt file'])
    })

    it('removes entries, and directories recursively if asked to', async () => {
      await write('b.txt', 'b')
      const directory = await root.getDirectoryHandle('a', { create: true })
      await directory.getFileHandle('in.txt', { create: true })

      await expect(root.removeEntry('a')).to.eventually.be.rejected().with.property('name', 'InvalidModificationError')
      await root.removeEntry('a', { recursive: true })
      await root.removeEntry('b.txt')
      expect(await all(root.keys())).to.deep.equal([])
    })

    it('reports missing entries and entries of another kind', async () => {
      await write('b.txt', 'b')

      await expect(root.getFileHandle('absent')).to.eventually.be.rejected().with.property('name', 'NotFoundError')
      await expect(root.getDirectoryHandle('b.txt')).to.eventually.be.rejected().with.property('name', 'TypeMismatchError')
      await expect(root.removeEntry('absent')).to.eventually.be.rejected().with.property('name', 'NotFoundError')
    })

    async function write (file: string, content: string): Promise<void> {
      const writable = await (await root.getFileHandle(file, { create: true })).createWritable()
      await writable.write(content)
      await writable.close()
    }

    async function read (file: string): Promise<string> {
      return (await (await root.getFileHandle(file)).getFile()).text()
    }
  })
}
