import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sections } from '../src/cases/large-file/charts.ts'
import { readOptions } from '../src/cases/large-file/options.ts'
import { FILE_NAME, PHASES } from '../src/cases/large-file/phases.ts'
import { judgeTargets } from '../src/cases/large-file/targets.ts'
import { unmeasured } from '../src/harness/figures.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { PhaseInit, PhaseKey } from '../src/cases/large-file/phases.ts'
import type { LargeFileReport, LargeFileRow } from '../src/cases/large-file/report.ts'

const KEYS = ['floor', 'write', 'hash', 'read']
const BYTES = 5_000_001

describe('a run of large-file', () => {
  let report: LargeFileReport
  let stdout: string

  before(async () => {
    const json = join(await temporary(), 'report.json')
    // so small a file tells nothing of the targets, and may break them
    const run = await startCli('index', ['large-file', '--bytes', String(BYTES), '--iterations', '2', '--json', json])

    stdout = String(run.stdout)
    report = JSON.parse(await readFile(json, 'utf8'))
    assert.equal(run.exitCode, report.targets.every(({ kept }) => kept) ? 0 : 1)
  })

  it('times every phase as often as requested', () => {
    assert.deepEqual(report.rows.map(({ phase }) => phase), KEYS)
    assert.deepEqual(report.rows.map(({ samples }) => samples), [2, 2, 2, 2])
    assert.deepEqual(report.rows.map(({ durable }) => durable), [true, true, false, false])
    assert.deepEqual(report.rows.map(({ cid }) => cid?.replace(/^bafy.*/, 'a root')), [`${BYTES} bytes`, 'a root', `${BYTES} bytes`, `${BYTES} bytes`])
    assert.equal(report.bytes, BYTES)
  })

  it('prints every phase and its requirements', () => {
    for (const phase of KEYS) {
      assert.ok(stdout.includes(`- \`${phase}\``), phase)
    }

    assert.equal(report.targets.length, 2)
    assert.ok(report.targets.every(({ what }) => stdout.includes(what)))
  })

  it('gives the page a chart', () => {
    const [{ charts, tables }] = sections(report)

    assert.equal(charts.length, 1)
    assert.equal(tables.length, 2)
  })
})

describe('reading the large file back', () => {
  const STORED = 2 ** 20 + 1

  async function stored (): Promise<Omit<PhaseInit, 'phase'>> {
    const directory = await temporary()
    const init = { source: join(directory, 'source'), scratch: join(directory, 'scratch'), bytes: STORED }

    await Promise.all([mkdir(init.source), mkdir(init.scratch)])
    await writeFile(join(init.source, FILE_NAME), new Uint8Array(STORED))
    await round('write', init)

    return init
  }

  async function round (phase: PhaseKey, init: Omit<PhaseInit, 'phase'>): Promise<string> {
    const opened = await PHASES[phase].open({ ...init, phase })

    try {
      return await (await opened.next())()
    } finally {
      await opened.close()
    }
  }

  it('returns as many bytes as the file has', async () => {
    assert.equal(await round('read', await stored()), `${STORED} bytes`)
  })

  it('fails from the first round if the file has another length', async () => {
    const init = await stored()

    for (const bytes of [STORED - 1, STORED + 1]) {
      await assert.rejects(round('read', { ...init, bytes }), new RegExp(`${STORED} bytes were read, and the file has ${bytes}`))
    }
  })

  it('fails if stored data is shorter than the source or its trailing zeros', async () => {
    const init = await stored()

    await appendFile(join(init.source, FILE_NAME), 'more')
    await assert.rejects(round('read', init), new RegExp(`${STORED} bytes were stored of a file of ${STORED + 4}`))
    await writeFile(join(init.source, FILE_NAME), new Uint8Array(STORED - 1))
    await assert.rejects(round('read', init), new RegExp(`${STORED} bytes were stored of a file of ${STORED - 1}`))
  })
})

describe('the targets of large-file', () => {
  const row = (phase: string, p50: number): LargeFileRow => ({ ...unmeasured, case: 'large-file', phase, what: '', version: null, status: 'ok', reason: null, samples: 1, rawMs: [p50], p50 })

  it('hold up to their limits, and fail beyond', () => {
    const kept = (write: number, read: number): boolean[] => judgeTargets([row('floor', 800), row('write', write), row('hash', 400), row('read', read)]).map(target => target.kept)

    assert.deepEqual(kept(1_000, 500), [true, true])
    assert.deepEqual(kept(1_001, 501), [false, false])
  })

  it('are not judged without rows', () => {
    assert.deepEqual(judgeTargets([row('floor', 100)]), [])
  })
})

describe('the options of large-file', () => {
  it('are read from flags, then the environment', () => {
    assert.equal(readOptions({ iterations: 2 }, { ITERATIONS: '3' }).iterations, 2)
    assert.equal(readOptions({}, { ITERATIONS: '3' }).iterations, 3)
    assert.equal(readOptions({}, {}).bytes, 623_902_720)
    assert.throws(() => readOptions({ bytes: 1 }, {}), /bytes/)
  })
})
