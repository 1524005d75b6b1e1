import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { temporaryDirectory } from './host.ts'
import { inChild } from './in-child.ts'

describe('adapters/host/export, with limited resources', () => {
  let target: string
  let remove: () => void

  beforeEach(() => {
    const { path, remove: removeRoot } = temporaryDirectory()
    target = join(path, 'target')
    remove = removeRoot
  })

  afterEach(() => {
    remove()
  })

  it('writes and deletes trees deeper than the limit of open descriptors', () => {
    const { stdout, stderr } = inChild(`
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      const path = '/d'.repeat(150)
      await fs.mkdir(path, { recursive: true })
      await fs.writeFile(path + '/f', 'content')
      const { files } = await exportDirectory(fs, ${JSON.stringify(target)})
      console.log(files)
      await fs.rm('/d', { recursive: true })
      await fs.writeFile('/d', 'a file')
      await exportDirectory(fs, ${JSON.stringify(target)}, { update: 'content', delete: true })
    `, 'ulimit -n 100; "$0"')

    expect(stderr).to.equal('')
    expect(stdout.trim()).to.equal('1')
    expect(nodefs.readFileSync(join(target, 'd'), 'utf8')).to.equal('a file')
  }).timeout(30_000)

  it('bounds the list of skipped entries of a hostile tree, and counts the rest', () => {
    // a fiftieth of the entries that an export allows, and a lot of memory for them
    const { stdout } = inChild(`
      const fs = dagfs({ blockstore: new MemoryBlockstore() })
      await fs.addAll(Array.from({ length: 500 }, (_, i) => ({ kind: 'symlink', path: '/one/' + i, target: '/etc' })))
      await fs.commit()

      for (let i = 0; i < 400; i++) {
        await fs.cp('/one', '/all/' + i, { recursive: true })
      }

      await fs.commit()
      const { skipped, moreSkipped } = await exportDirectory(fs, ${JSON.stringify(target)}, { from: '/all', onUnsupported: 'skip' })
      console.log(skipped.length, moreSkipped)
    `, '"$0" --max-old-space-size=150')

    expect(stdout.trim()).to.equal('10000 190000')
  }).timeout(120_000)
})
