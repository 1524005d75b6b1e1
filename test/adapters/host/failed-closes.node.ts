import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { exportDirectory } from '../../../src/adapters/host/index.ts'
import { RecordFile } from '../../../src/adapters/host/record-file.ts'
import { memoryFs, openDescriptors, temporaryDirectory } from './host.ts'

/** A disk behind a network, or one with quotas, may say only when a file is closed that it could not be written. */
describe('adapters/host, when closing a file reports a failed write', () => {
  const { closeSync } = nodefs
  let root: string
  let remove: () => void

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
  })

  afterEach(() => {
    nodefs.closeSync = closeSync
    remove()
  })

  function failToCloseFiles (): void {
    nodefs.closeSync = descriptor => {
      const isFile = nodefs.fstatSync(descriptor).isFile()
      closeSync(descriptor)

      if (isFile) {
        throw Object.assign(new Error('EDQUOT: disk quota exceeded, close'), { code: 'EDQUOT', syscall: 'close' })
      }
    }
  }

  it('removes the new file of an export, and names it', async () => {
    const target = join(root, 'target')
    const fs = memoryFs()
    await fs.writeFile('/a', 'content')
    const before = openDescriptors(nodefs)
    failToCloseFiles()
    await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ code: 'EDQUOT', path: join(target, 'a') })

    expect(nodefs.readdirSync(target)).to.deep.equal([])
    expect(openDescriptors(nodefs)).to.equal(before)
  })

  it('keeps the old file of an export, and no temporary file', async () => {
    const target = join(root, 'target')
    const fs = memoryFs()
    await fs.writeFile('/a', 'content')
    nodefs.mkdirSync(target)
    nodefs.writeFileSync(join(target, 'a'), 'old')
    failToCloseFiles()
    await expect(exportDirectory(fs, target, { update: 'content' })).to.eventually.be.rejected.with.property('code', 'EDQUOT')

    expect(nodefs.readdirSync(target)).to.deep.equal(['a'])
    expect(nodefs.readFileSync(join(target, 'a'), 'utf8')).to.equal('old')
  })

  it('reports the earlier failure of the export', async () => {
    const fs = memoryFs()
    await fs.writeFile('/a', new Uint8Array(2 ** 20))
    const failing = Object.assign(Object.create(fs), {
      cat: () => { throw new Error('the store is gone') },
      ls: fs.ls.bind(fs),
      stat: fs.stat.bind(fs)
    })
    failToCloseFiles()

    await expect(exportDirectory(failing, join(root, 'target'))).to.eventually.be.rejectedWith('the store is gone')
    expect(nodefs.readdirSync(join(root, 'target'))).to.deep.equal([])
  })

  it('appends to the last valid state of a record, and replaces none', async () => {
    const path = join(root, 'record')
    const file = new RecordFile(path, { of: 'this' })
    await file.add([{ a: 1 }])
    failToCloseFiles()
    await expect(file.add([{ b: 2 }])).to.eventually.be.rejected.with.include({ code: 'EDQUOT', path })
    await expect(file.replace([])).to.eventually.be.rejected.with.include({ code: 'EDQUOT' }).and.with.property('path').that.satisfies((named: string) => named.startsWith(path))
    nodefs.closeSync = closeSync
    expect(nodefs.readdirSync(root)).to.deep.equal(['record'])
    await file.add([{ c: 3 }])

    expect(await all(new RecordFile(path, { of: 'this' }).read())).to.deep.equal([{ a: 1 }, { c: 3 }])
  })
})
