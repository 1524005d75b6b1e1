import nodefs from 'node:fs'
import { join } from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { dagfs } from '../../../src/index.ts'
import { inAnHour, memoryFs, temporaryDirectory } from './host.ts'
import type { ImportOptions, ImportReport } from '../../../src/adapters/host/index.ts'
import type { DagFs } from '../../../src/index.ts'

/**
 * A directory of the host, the path of a record of its imports, and a filesystem to import it into.
 */
export class RecordedSource {
  readonly root: string
  readonly source: string
  readonly remove: () => void
  readonly blockstore = new MemoryBlockstore()
  record: string
  fs: DagFs

  constructor () {
    ({ path: this.root, remove: this.remove } = temporaryDirectory())
    this.source = join(this.root, 'source')
    this.record = join(this.root, 'record')
    nodefs.mkdirSync(this.source)
    this.fs = dagfs({ blockstore: this.blockstore })
  }

  write (path: string, content: string | Uint8Array = path): void {
    nodefs.mkdirSync(join(this.source, path, '..'), { recursive: true })
    nodefs.writeFileSync(join(this.source, path), content)
  }

  writeSome (): void {
    this.write('a/one', 'one')
    // whole seconds, which can be put back
    nodefs.utimesSync(join(this.source, 'a/one'), 1_000_000, 1_000_000)
    this.write('a/b/two', new Uint8Array(5_000).fill(2))
    this.write('large', Uint8Array.from({ length: 3 * 2 ** 20 }, (_, i) => i >> 18))
    nodefs.mkdirSync(join(this.source, 'empty'))
    nodefs.symlinkSync('a/one', join(this.source, 'link'))
  }

  /** Imports as if what is on the disk had been there for an hour. */
  async later (options: ImportOptions = {}, into = this.fs): Promise<ImportReport> {
    return inAnHour(async () => importDirectory(into, this.source, { record: this.record, ...options }))
  }

  async rootOf (of = this.fs): Promise<string> {
    return String((await of.commit()).root)
  }

  /** The root of an import into nothing. */
  async coldRoot (options: ImportOptions = {}): Promise<string> {
    const cold = memoryFs()
    await importDirectory(cold, this.source, options)

    return this.rootOf(cold)
  }
}
