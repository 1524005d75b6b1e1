import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { exportDirectory } from '../../../src/adapters/host/index.ts'
import { holdNone, memoryFs, openDescriptors, temporaryDirectory } from './host.ts'
import type { DagFs } from '../../../src/index.ts'

const mirror = { update: 'content', delete: true } as const
const { O_CREAT } = nodefs.constants

describe('adapters/host/export, while another process replaces a target directory by a link', () => {
  const { openSync, readdirSync, unlinkSync, lstatSync } = nodefs
  let root: string
  let target: string
  let outside: string
  let remove: () => void
  let fs: DagFs

  beforeEach(async () => {
    ({ path: root, remove } = temporaryDirectory())
    target = join(root, 'target')
    outside = join(root, 'outside')
    nodefs.mkdirSync(join(outside, 'in'), { recursive: true })
    nodefs.writeFileSync(join(outside, 'precious'), 'precious')
    nodefs.writeFileSync(join(outside, 'in/precious'), 'precious')
    fs = memoryFs()
    await fs.addAll(Array.from({ length: 50 }, (_, i) => ({ path: `/d/${String(i).padStart(2, '0')}`, content: `${i}` })))
  })

  afterEach(() => {
    Object.assign(nodefs, { openSync, readdirSync, unlinkSync, lstatSync })
    remove()
  })

  /** Where the target had a directory there is a link out of it from now on. */
  function exchange (name: string): void {
    nodefs.renameSync(join(target, name), join(root, 'moved'))
    nodefs.symlinkSync(outside, join(target, name))
  }

  function once (work: () => void): () => void {
    let isDone = false

    return () => {
      if (!isDone) {
        isDone = true
        work()
      }
    }
  }

  function everythingOutside (): string[] {
    return readdirSync(outside, { recursive: true, encoding: 'utf8' }).sort()
  }

  const ways: Array<[how: string, prepare: () => void]> = [['held', () => {}], ['compared', () => { holdNone(nodefs) }]]

  ways.forEach(([how, prepare]) => {
    describe(`which is ${how}`, () => {
      beforeEach(prepare)

      it('writes nothing through the link, and names the replaced directory', async () => {
        let entries = 0
        const exporting = exportDirectory(fs, target, {
          onProgress: () => {
            if (++entries === 10) {
              exchange('d')
            }
          }
        })

        await expect(exporting).to.eventually.be.rejected.with.include({ name: 'TargetChangedError', path: join(target, 'd') })
        expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
      })

      it('deletes nothing through the link, nor from the moved directory', async () => {
        await exportDirectory(fs, target)
        nodefs.writeFileSync(join(target, 'd/other'), '')
        let entries = 0
        const exporting = exportDirectory(fs, target, {
          ...mirror,
          onProgress: () => {
            if (++entries === 50) {
              exchange('d')
            }
          }
        })

        await expect(exporting).to.eventually.be.rejected.with.include({ name: 'TargetChangedError', path: join(target, 'd') })
        expect(nodefs.existsSync(join(root, 'moved/other'))).to.equal(true)
        expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
      })

      it('deletes no extra entries of the target through the link', async () => {
        nodefs.mkdirSync(join(target, 'stale/in'), { recursive: true })

        for (const name of ['a', 'in/a', 'precious', 'in/precious']) {
          nodefs.writeFileSync(join(target, 'stale', name), '')
        }

        const exchanging = once(() => { exchange('stale') })
        nodefs.unlinkSync = path => {
          unlinkSync(path)
          exchanging()
        }

        await expect(exportDirectory(fs, target, mirror)).to.eventually.be.rejected.with.property('name', 'TargetChangedError')
        expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
      })

      it('distinguishes the link from the directory it replaced', async () => {
        nodefs.mkdirSync(join(target, 'd'), { recursive: true })
        const exchanging = once(() => { exchange('d') })
        Object.assign(nodefs, {
          lstatSync (...parameters: Parameters<typeof lstatSync>) {
            const found = lstatSync(...parameters)

            if (String(parameters[0]).endsWith('/d')) {
              exchanging()
            }

            return found
          }
        })

        await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ name: 'TargetChangedError', path: join(target, 'd') })
        expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
      })

      it('leaves no descriptor open', async () => {
        const before = openDescriptors(nodefs)
        await expect(exportDirectory(fs, target, { onProgress: once(() => { exchange('d') }) })).to.eventually.be.rejected.with.property('name', 'TargetChangedError')

        expect(openDescriptors(nodefs)).to.equal(before)
      })

      it('exports normally if nothing is replaced', async () => {
        nodefs.mkdirSync(join(target, 'stale/in'), { recursive: true })
        nodefs.writeFileSync(join(target, 'stale/in/file'), '')
        nodefs.symlinkSync(outside, join(target, 'stale/link'))
        await fs.addAll([{ path: '/d/link', kind: 'symlink', target: '00' }, { path: '/e', kind: 'directory', mode: 0o500, mtime: [1_000_000, 0] }])
        await exportDirectory(fs, target, mirror)
        const { unchanged } = await exportDirectory(fs, target, mirror)

        expect(unchanged).to.equal(50)
        expect(readdirSync(target)).to.deep.equal(['d', 'e'])
        expect(nodefs.readFileSync(join(target, 'd/link'), 'utf8')).to.equal('0')
        expect(nodefs.statSync(join(target, 'e'))).to.include({ mode: 0o40500, mtimeMs: 1_000_000_000 })
        expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
      })
    })
  })

  // elsewhere this much of a window is left
  if (process.platform === 'linux') {
    it('writes nothing through the link on Linux, at any moment', async () => {
      const exchanging = once(() => { exchange('d') })
      nodefs.openSync = (...parameters) => {
        if ((Number(parameters[1]) & O_CREAT) !== 0) {
          exchanging()
        }

        return openSync(...parameters)
      }

      await expect(exportDirectory(fs, target)).to.eventually.be.rejected.with.include({ name: 'TargetChangedError', path: join(target, 'd') })
      expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
    })

    it('deletes nothing through the link on Linux, at any moment', async () => {
      await exportDirectory(fs, target)
      nodefs.writeFileSync(join(target, 'd/precious'), '')
      const exchanging = once(() => { exchange('d') })
      nodefs.unlinkSync = path => {
        exchanging()
        unlinkSync(path)
      }

      await expect(exportDirectory(fs, target, mirror)).to.eventually.be.rejected.with.include({ name: 'TargetChangedError', path: join(target, 'd') })
      expect(everythingOutside()).to.deep.equal(['in', 'in/precious', 'precious'])
    })
  }

  it('reports host paths in errors', async () => {
    nodefs.mkdirSync(join(target, 'd'), { recursive: true })
    nodefs.writeFileSync(join(target, 'd/00'), '')
    const { path, message, stack } = await exportDirectory(fs, target).catch(err => err)

    expect(path).to.equal(join(target, 'd/00'))
    expect(message).to.equal(`EEXIST: file already exists, open '${path}'`)
    expect(stack).to.include(path)
  })
})
