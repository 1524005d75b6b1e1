import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { importDirectory, previewImport } from '../../../src/adapters/host/index.ts'
import { memoryFs, paths } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/reimport, location of the record', () => {
  let given: RecordedSource
  let root: string
  let source: string
  let record: string
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ root, source, record, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  it('excludes its own record file', async () => {
    given.write('file')
    given.write('.record.01234567-89ab-4cde-8f01-23456789abcd.tmp')
    given.write('.record.mine.tmp')
    nodefs.symlinkSync('source/.record', record)

    for (let i = 0; i < 2; i++) {
      const { files } = await importDirectory(fs, source, { record, onProgress: () => {} })
      expect(files).to.equal(2)
      expect(await paths(fs)).to.deep.equal(['/.record.mine.tmp', '/file'])
    }

    expect(nodefs.lstatSync(record).isSymbolicLink()).to.equal(true)
  })

  it('refuses a pipe as record without waiting', async () => {
    given.write('file')
    execFileSync('mkfifo', [record])

    await expect(importDirectory(fs, source, { record })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'record' })
    expect(await paths(fs)).to.deep.equal([])
  })

  it('excludes its record from the import of its directory', async () => {
    given.writeSome()
    given.record = join(source, 'record')
    await given.later()
    await given.later({ delete: true })

    expect(await paths(fs)).to.not.include('/record')
  })

  it('excludes its record by any link to it or the directory', async () => {
    given.writeSome()
    const link = join(root, 'link')
    nodefs.symlinkSync(source, link)

    for (const [from, to] of [[source, join(link, 'record')], [link, join(source, 'record')], [link, join(link, 'record')], [source, join(link, 'a/b/record')]]) {
      await importDirectory(fs, from, { record: to, delete: true })
      await importDirectory(fs, from, { record: to, delete: true })
      nodefs.rmSync(to)

      expect(await paths(fs)).to.deep.equal(['/a', '/a/b', '/a/b/two', '/a/one', '/empty', '/large', '/link'])
    }
  })

  it('deletes an imported copy of its record', async () => {
    given.record = join(source, 'record')
    given.write('a')
    await given.later({ delete: true })
    // once without a record, which is a file like any other then
    await importDirectory(fs, source)
    expect(await paths(fs)).to.deep.equal(['/a', '/record'])
    await given.later({ delete: true })

    expect(await given.rootOf()).to.equal(await given.coldRoot({ record: given.record, delete: true }))
    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('treats a directory with its record\'s name as unknown', async () => {
    const within = join(source, 'record')
    given.write('a')
    await given.later({ record: within, delete: true })
    await importDirectory(fs, source)
    await given.later({ record: within, delete: true })
    nodefs.renameSync(within, record)
    await given.later({ delete: true })

    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('resolves relative paths when it is called', async () => {
    given.writeSome()
    const before = process.cwd()
    nodefs.mkdirSync(join(root, 'elsewhere'))
    process.chdir(root)

    try {
      const importing = importDirectory(fs, 'source', { record: 'record' })
      process.chdir('elsewhere')
      await importing
      process.chdir(root)
      const preview = previewImport(memoryFs(), 'source', { record: 'record' })
      process.chdir('elsewhere')

      expect(await all(preview)).to.have.lengthOf(7)
      expect(nodefs.readdirSync(root).sort()).to.deep.equal(['elsewhere', 'record', 'source'])
      expect(nodefs.readdirSync('.')).to.deep.equal([])
    } finally {
      process.chdir(before)
    }
  })

  it('refuses a record that is not its own file, and a foreign filesystem', async () => {
    given.writeSome()
    nodefs.writeFileSync(record, 'a letter to my aunt')

    await expect(given.later()).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', path: record })
    await expect(given.later({ record: '' })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    await expect(given.later({ record: join(root, 'new') }, { ...fs })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError' })
    expect(nodefs.readFileSync(record, 'utf8')).to.equal('a letter to my aunt')
  })
})
