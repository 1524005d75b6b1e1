import assert from 'node:assert'
import { execFileSync } from 'node:child_process'
import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { ImportPlan } from '../../../src/adapters/host/import-plan.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { adapterApiOf } from '../../../src/fs/index.ts'
import { abortedInTurn, paths } from './host.ts'
import { RecordedSource } from './recorded-source.ts'
import type { DagFs } from '../../../src/index.ts'

describe('adapters/host/reimport, with deletions', () => {
  let given: RecordedSource
  let source: string
  let record: string
  let fs: DagFs

  beforeEach(() => {
    given = new RecordedSource();
    ({ source, record, fs } = given)
  })

  afterEach(() => {
    given.remove()
  })

  it('imports additions, deletions and changes of kind', async () => {
    given.writeSome()
    given.write('was-file')
    given.write('was-directory/x/y')
    await given.later({ delete: true })
    await fs.commit()

    given.write('a/new/deep/file')
    nodefs.rmSync(join(source, 'a/b'), { recursive: true })
    nodefs.rmSync(join(source, 'empty'), { recursive: true })
    nodefs.rmSync(join(source, 'was-file'))
    given.write('was-file/inside')
    nodefs.rmSync(join(source, 'was-directory'), { recursive: true })
    given.write('was-directory')
    nodefs.rmSync(join(source, 'link'))
    given.write('link')
    const { unread } = await given.later({ delete: true })

    expect(unread).to.equal(2)
    expect(await given.rootOf()).to.equal(await given.coldRoot())
    expect((await given.later({ delete: true })).unread).to.equal(6)
    expect(await given.rootOf()).to.equal(await given.coldRoot())
  })

  it('keeps deleted files in the tree unless `delete` is set', async () => {
    given.writeSome()
    await given.later()
    nodefs.rmSync(join(source, 'a'), { recursive: true })
    await given.later()
    expect(await paths(fs)).to.include('/a/b/two')

    await given.later({ delete: true })
    expect(await paths(fs)).to.deep.equal(['/empty', '/large', '/link'])
  })

  it('deletes without a record, only below `to`, and ignored files as well', async () => {
    given.writeSome()
    given.write('b.log')
    await fs.addAll([{ path: '/other/x', content: 'x' }, { path: '/to/gone/y', content: 'y' }, { path: '/to/b.log', content: '' }])
    await importDirectory(fs, source, { to: '/to', delete: true, ignore: ['*.log'] })

    expect(await paths(fs)).to.deep.equal(['/other', '/other/x', '/to', '/to/a', '/to/a/b', '/to/a/b/two', '/to/a/one', '/to/empty', '/to/large', '/to/link'])
  })

  it('yields to the event loop while it looks for deletions', async () => {
    const adapterApi = await adapterApiOf(fs)
    assert(adapterApi !== undefined)
    const plan = new ImportPlan({
      target: fs,
      adapterApi,
      to: '/',
      record: undefined,
      isRecording: false,
      recordEveryMs: 0,
      racyWindowMs: 0,
      isMirror: true,
      options: { signal: abortedInTurn(8) },
      hasAttributes: false,
      attributes: () => ({}),
      onUnchanged () {},
      onReused () {},
      isIncomplete: () => false
    })
    let looked = 0

    // each name takes longer than the event loop is to wait
    function * kinds (): Generator<[string, 'file']> {
      for (; looked < 30; looked++) {
        const began = performance.now()

        while (performance.now() < began + 15) {
          // what takes so long is of no matter
        }

        yield [`${looked}`, 'file']
      }
    }

    await expect(all(plan.steps(listed => {
      listed({ segments: [], kinds })

      return []
    }))).to.eventually.be.rejected.with.nested.property('cause.message', 'enough')
    expect(looked).to.be.below(20)
  })

  it('keeps an entry if the host has something unsupported in its place', async () => {
    given.write('a')
    given.write('b/c')
    await importDirectory(fs, source, { record, delete: true })
    nodefs.rmSync(join(source, 'a'))
    nodefs.rmSync(join(source, 'b'), { recursive: true })
    execFileSync('mkfifo', [join(source, 'a'), join(source, 'b')])
    const { skipped } = await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })

    expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'a'), join(source, 'b')])
    expect(await paths(fs)).to.deep.equal(['/a', '/b', '/b/c'])
  })

  it('deletes a skipped entry once it is gone from the host', async () => {
    given.write('a')
    await fs.writeFile('/b', 'of the tree')
    execFileSync('mkfifo', [join(source, 'b')])
    await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
    expect(await paths(fs)).to.deep.equal(['/a', '/b'])

    nodefs.rmSync(join(source, 'b'))
    await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
    expect(await paths(fs)).to.deep.equal(['/a'])
  })

  it('keeps files that exist on the host and cannot be read', async () => {
    given.write('a')
    given.write('b/c')
    await importDirectory(fs, source, { record, delete: true })
    const { openSync, readdirSync } = nodefs
    const denied = Object.assign(new Error('EACCES'), { code: 'EACCES' })
    nodefs.openSync = (...parameters) => {
      if (String(parameters[0]) === join(source, 'a')) {
        throw denied
      }

      return openSync(...parameters)
    }
    nodefs.readdirSync = ((...parameters: Parameters<typeof readdirSync>) => {
      if (String(parameters[0]) === join(source, 'b')) {
        throw denied
      }

      return readdirSync(...parameters)
    }) as typeof readdirSync

    try {
      const { skipped } = await importDirectory(fs, source, { record, delete: true, onSourceError: 'skip' })
      expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'a'), join(source, 'b')])
    } finally {
      Object.assign(nodefs, { openSync, readdirSync })
    }

    expect(await paths(fs)).to.deep.equal(['/a', '/b', '/b/c'])
  })

  it('records nothing of an unreadable replacement of a directory', async () => {
    given.write('p/inside')
    given.write('q')
    await given.later({ delete: true })
    nodefs.rmSync(join(source, 'p'), { recursive: true })
    given.write('p', new Uint8Array(2 * 2 ** 20).fill(1))
    const { openSync } = nodefs
    nodefs.openSync = (...parameters) => {
      // it is looked at, and then its disk fails
      if (String(parameters[0]) === join(source, 'p') && ++opened === 2) {
        throw Object.assign(new Error('EIO'), { code: 'EIO' })
      }

      return openSync(...parameters)
    }
    let opened = 0

    try {
      const { skipped } = await given.later({ delete: true, onSourceError: 'skip' })
      expect(skipped.map(({ path }) => path)).to.deep.equal([join(source, 'p')])
    } finally {
      nodefs.openSync = openSync
    }

    await given.later({ delete: true })
    expect(await paths(fs)).to.deep.equal(['/p', '/q'])
  })
})
