import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { execa } from 'execa'
import all from 'it-all'
import { exportDirectory, importDirectory } from '../../src/adapters/host/index.ts'
import { dagfs } from '../../src/index.ts'
import { repository } from '../architecture/sources.ts'
import { gitSuite } from './git-suite.ts'
import { ticking } from './ticking.ts'

const source = path.join(repository, 'src')

describe('git', () => {
  let directory: string

  before(async () => {
    directory = await fs.mkdtemp(path.join(os.tmpdir(), 'dagfs-git-'))
  })

  after(async () => {
    await fs.rm(directory, { recursive: true })
  })

  // the suite holds for the host's own filesystem, so it asks for nothing that a filesystem does not do
  gitSuite('node:fs/promises', async () => {
    const dir = path.join(directory, 'host')
    await fs.cp(source, dir, { recursive: true })
    const entries = await fs.readdir(dir, { recursive: true, withFileTypes: true })

    return { fs, dir, files: entries.filter(entry => entry.isFile()).map(entry => path.relative(dir, path.join(entry.parentPath, entry.name))) }
  })

  const tree = dagfs({ blockstore: new MemoryBlockstore() }, { clock: ticking() })

  gitSuite('dagfs, with the source of this package', async () => {
    await importDirectory(tree, source, { to: '/repository' })
    const entries = await all(tree.walk('/repository'))

    return { fs: tree, dir: '/repository', files: entries.filter(({ kind }) => kind === 'file').map(entry => entry.path.slice('/repository/'.length)) }
  })

  // after the suite
  describe('git on the host', () => {
    it('accepts a repository that isomorphic-git created on dagfs, without changes', async () => {
      const { root } = await tree.commit()
      await exportDirectory(tree.at(root), path.join(directory, 'exported'))
      const run = async (...args: string[]): Promise<string> => {
        const { stdout } = await execa('git', ['-c', 'core.fileMode=false', ...args], { cwd: path.join(directory, 'exported/repository'), env: { GIT_CONFIG_GLOBAL: os.devNull, GIT_CONFIG_SYSTEM: os.devNull } })
        return stdout
      }

      expect(await run('fsck', '--strict', '--full', '--no-dangling')).to.equal('')
      expect((await run('log', '--format=%s', '--topo-order')).split('\n')).to.have.members(["Merge branch 'feature' into main", 'on main', 'on feature', 'second', 'first'])
      expect(await run('status', '--porcelain')).to.equal('')
      expect(await run('rev-parse', '--abbrev-ref', 'HEAD')).to.equal('main')
    })
  })
})
