import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { exportDirectory } from '../../../src/adapters/host/index.ts'
import { holdNone, memoryFs, temporaryDirectory } from './host.ts'
import type { DagFs } from '../../../src/index.ts'

// of Linux; what other hosts allow is found out nowhere
const maxPathBytes = 4_095

describe('adapters/host/export, at the path limit of a host', () => {
  const { openSync } = nodefs
  let target: string
  let deep: string
  let fs: DagFs
  let remove: () => void

  before(function () {
    if (process.platform !== 'linux') {
      this.skip()
    }
  })

  beforeEach(() => {
    ({ path: target, remove } = temporaryDirectory())
    fs = memoryFs()
    const levels = Math.floor((maxPathBytes - 220 - target.length) / 201)
    const names = Array.from({ length: levels }, () => 'n'.repeat(200))
    // room for a slash and four bytes
    const last = 'm'.repeat(maxPathBytes - join(target, ...names).length - 1 - 5)
    deep = join('/', ...names, last)
  })

  afterEach(() => {
    nodefs.openSync = openSync
    remove()
  })

  const ways: Array<[how: string, prepare: () => void]> = [['held', () => {}], ['compared', () => { holdNone(nodefs) }]]

  ways.forEach(([how, prepare]) => {
    describe(`in directories that are ${how}`, () => {
      beforeEach(prepare)

      it('creates no file whose path is too long', async () => {
        await fs.addAll([{ path: join(deep, 'four'), content: '' }])
        expect((await exportDirectory(fs, target)).files).to.equal(1)
        await fs.addAll([{ path: join(deep, 'fiver'), content: '' }])

        await expect(exportDirectory(fs, target, { update: 'content' })).to.eventually.be.rejected.with.include({ code: 'ENAMETOOLONG' })
      })

      it('skips only entries whose path is too long, if asked to', async () => {
        const overlong = ['fiver', 'other', 'sixth!', 'within']
        await fs.addAll([
          { path: join(deep, 'fiver'), content: '' },
          { path: join(deep, 'four'), content: '' },
          { path: join(deep, 'other'), kind: 'symlink', target: 'four' },
          { path: join(deep, 'sixth!'), kind: 'directory' },
          { path: join(deep, 'within', 'below'), content: '' },
          { path: '/z', content: '' }
        ])
        const { files, symlinks, skipped } = await exportDirectory(fs, target, { onUnsupported: 'skip' })

        expect(skipped.map(({ path, error }) => [path, 'code' in error && error.code])).to.deep.equal(overlong.map(name => [join(deep, name), 'ENAMETOOLONG']))
        expect({ files, symlinks }).to.deep.equal({ files: 2, symlinks: 0 })
        expect(nodefs.readdirSync(join(target, deep))).to.deep.equal(['four'])
        expect(nodefs.existsSync(join(target, 'z'))).to.equal(true)
      })

      it('replaces a file and a link whose name just fits, without leftovers', async () => {
        // most of the names of one byte are taken
        const taken = 'bcdefghijklmnopqrstuvwxyz012345678'
        await fs.addAll([...taken].map(name => ({ path: join(deep, name), content: name })))
        await fs.addAll([{ path: join(deep, 'a'), content: 'one' }, { path: join(deep, 'four'), kind: 'symlink', target: 'a' }])
        await exportDirectory(fs, target)
        await fs.addAll([{ path: join(deep, 'a'), content: 'two' }, { path: join(deep, 'four'), kind: 'symlink', target: 'b' }])
        await exportDirectory(fs, target, { update: 'content' })

        expect(nodefs.readFileSync(join(target, deep, 'a'), 'utf8')).to.equal('two')
        expect(nodefs.readlinkSync(join(target, deep, 'four'))).to.equal('b')
        expect(nodefs.readdirSync(join(target, deep)).sort()).to.deep.equal(['a', 'four', ...taken].sort())
      })
    })
  })
})
