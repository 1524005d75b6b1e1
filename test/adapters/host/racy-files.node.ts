import nodefs from 'node:fs'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { ImportRecord } from '../../../src/adapters/host/import-record.ts'
import { importDirectory } from '../../../src/adapters/host/index.ts'
import { RacyWindow, defaultRacyWindowMs } from '../../../src/adapters/host/racy-window.ts'
import { memoryFs, temporaryDirectory } from './host.ts'
import type { ImportOptions } from '../../../src/adapters/host/index.ts'
import type { TimeSample } from '../../../src/adapters/host/sample-time.ts'
import type { DagFs } from '../../../src/index.ts'

const secondNs = 1_000_000_000n
const nfs = 0x6969

describe('adapters/host/racy-window', () => {
  const { now } = Date
  const { statfsSync } = nodefs
  const { isRacy } = RacyWindow.prototype
  const { sampleTime } = ImportRecord.prototype
  let root: string
  let source: string
  let remove: () => void
  let fs: DagFs

  beforeEach(() => {
    ({ path: root, remove } = temporaryDirectory())
    source = join(root, 'source')
    nodefs.mkdirSync(source)
    nodefs.writeFileSync(join(source, 'file'), 'content')
    fs = memoryFs()
  })

  afterEach(() => {
    Date.now = now
    Object.assign(nodefs, { statfsSync })
    RacyWindow.prototype.isRacy = isRacy
    ImportRecord.prototype.sampleTime = sampleTime
    remove()
  })

  /** Imports as if what is on the disk had last changed so long before, and answers how many files were not read. */
  async function unreadOf (ageMs: number, options: ImportOptions = {}): Promise<number | undefined> {
    const ageNs = BigInt(ageMs) * 1_000_000n
    RacyWindow.prototype.isRacy = function ({ size, mtimeNs, ctimeNs }, ...parameters) {
      return isRacy.call(this, { size, mtimeNs: mtimeNs - ageNs, ctimeNs: ctimeNs - ageNs }, ...parameters)
    }

    return (await importDirectory(fs, source, { record: join(root, 'record'), ...options })).unread
  }

  function serverOf (types: Record<string, number>): void {
    Object.assign(nodefs, { statfsSync: (path: string) => ({ type: types[path] ?? 0xef53 }) })
  }

  it('reads a file again that changed within 30 seconds before its import', async () => {
    expect(await unreadOf(28_000)).to.equal(0)
    expect(await unreadOf(28_000)).to.equal(0)
    expect(await unreadOf(60_000)).to.equal(0)
    expect(await unreadOf(60_000)).to.equal(1)
  })

  it('takes the window from racyWindowMs, at least two seconds', async () => {
    expect(await unreadOf(28_000, { racyWindowMs: 20_000 })).to.equal(0)
    expect(await unreadOf(28_000, { racyWindowMs: 20_000 })).to.equal(1)
    expect(await unreadOf(0, { racyWindowMs: 0, record: join(root, 'other') })).to.equal(0)
    expect(await unreadOf(0, { racyWindowMs: 0, record: join(root, 'other') })).to.equal(0)
    await expect(unreadOf(0, { racyWindowMs: -1 })).to.eventually.be.rejected.with.include({ name: 'InvalidOptionError', option: 'racyWindowMs' })
  })

  it('uses the clock of the filesystem, not that of the process', async () => {
    Date.now = () => now() + 3_600_000

    for (let i = 0; i < 3; i++) {
      expect(await unreadOf(0)).to.equal(0)
    }
  })

  it('reads the clock without changing a directory, and only if needed', async () => {
    await unreadOf(60_000)
    const { mtimeNs } = nodefs.statSync(root, { bigint: true })
    const recorded = nodefs.statSync(join(root, 'record'), { bigint: true })
    await unreadOf(60_000)
    expect(nodefs.statSync(join(root, 'record'), { bigint: true })).to.include({ mtimeNs: recorded.mtimeNs, ctimeNs: recorded.ctimeNs })

    nodefs.writeFileSync(join(source, 'new'), 'new')
    await unreadOf(60_000)
    expect(nodefs.statSync(root, { bigint: true }).mtimeNs).to.equal(mtimeNs)
    expect(nodefs.readdirSync(root).sort()).to.deep.equal(['record', 'source'])
  })

  it('trusts a server\'s files after two equal imports', async () => {
    ImportRecord.prototype.sampleTime = () => undefined
    serverOf({ [source]: nfs })
    const unread: Array<number | undefined> = []

    for (const seconds of [0, 20, 40, 41]) {
      Date.now = () => now() + seconds * 1_000
      unread.push(await unreadOf(3_600_000))
    }

    expect(unread).to.deep.equal([0, 0, 0, 1])
  })

  it('starts over when a server\'s file changes between imports', async () => {
    ImportRecord.prototype.sampleTime = () => undefined
    serverOf({ [source]: nfs })
    const unread: Array<number | undefined> = []

    for (const seconds of [0, 40, 60, 80, 81]) {
      Date.now = () => now() + seconds * 1_000
      unread.push(await unreadOf(3_600_000))

      if (seconds === 0) {
        nodefs.writeFileSync(join(source, 'file'), 'CONTENT')
      }
    }

    expect(unread).to.deep.equal([0, 0, 0, 0, 1])
  })

  const recordOnServer: TimeSample = { dev: 1n, timeNs: 1_000n * secondNs, directory: '/server' }
  const times: Array<[what: string, dev: bigint, directory: string, sample: TimeSample | undefined, agesToNow: [settled: bigint, racy: bigint] | undefined]> = [
    ['the server that the record is on', 1n, '/server', recordOnServer, [1_000n - 31n, 1_000n - 30n]],
    ['another server', 2n, '/other-server', recordOnServer, undefined],
    ['this machine if the record is on a server', 3n, '/here', recordOnServer, [5_000n - 31n, 5_000n - 30n]],
    ['another filesystem of this machine', 3n, '/here', { dev: 4n, timeNs: 2_000n * secondNs, directory: '/there' }, [2_000n - 31n, 2_000n - 30n]],
    ['this machine if no directory is writable', 3n, '/here', undefined, [5_000n - 31n, 5_000n - 30n]]
  ]

  for (const [what, dev, directory, sample, ages] of times) {
    it(`compares with the clock of ${what}`, () => {
      serverOf({ '/server': nfs, '/other-server': nfs })
      Date.now = () => 5_000_000
      const window = new RacyWindow(defaultRacyWindowMs, () => sample)
      const racy = (seconds: bigint, seenMs?: number): boolean => window.isRacy({ size: 0n, mtimeNs: 1n, ctimeNs: seconds * secondNs }, { dev, directory }, seenMs)

      if (ages === undefined) {
        expect([racy(1n), racy(1n, 5_000_000 - 30_000), racy(1n, 5_000_000 - 30_001)]).to.deep.equal([true, true, false])
      } else {
        expect(ages.map(age => racy(age))).to.deep.equal([false, true])
      }
    })
  }

  const stats: Array<[what: string, stat: { size?: bigint, mtimeNs?: bigint, ctimeNs?: bigint }, isRacy: boolean]> = [
    ['treats an older change as settled', { ctimeNs: -31n }, false],
    ['treats a recent ctime with an old mtime as racy', { ctimeNs: 0n, mtimeNs: -10_000n }, true],
    ['treats a recent mtime as racy', { mtimeNs: -10n }, true],
    ['treats an mtime in the far future as settled', { mtimeNs: 100_000n }, false],
    ['doubles the window for a file of 128 MiB', { size: 2n ** 27n, ctimeNs: -60n }, true],
    ['treats a file of 128 MiB as settled after that', { size: 2n ** 27n, ctimeNs: -61n }, false],
    ['limits the window to that of 2 GiB', { size: 2n ** 50n, ctimeNs: -30n * 17n - 1n }, false]
  ]

  for (const [what, { size = 0n, mtimeNs = -10_000n, ctimeNs = -10_000n }, expected] of stats) {
    it(what, () => {
      Date.now = () => 1_000_000_000
      const nowNs = 1_000_000n * secondNs
      const window = new RacyWindow(defaultRacyWindowMs, () => undefined)

      expect(window.isRacy({ size, mtimeNs: nowNs + mtimeNs * secondNs, ctimeNs: nowNs + ctimeNs * secondNs }, { dev: 1n, directory: '/here' }, undefined)).to.equal(expected)
    })
  }
})
