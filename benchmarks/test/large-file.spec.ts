import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sections } from '../src/cases/large-file/charts.ts'
import { readOptions } from '../src/cases/large-file/options.ts'
import { judgeTargets } from '../src/cases/large-file/targets.ts'
import { unmeasured } from '../src/harness/figures.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { LargeFileReport, LargeFileRow } from '../src/cases/large-file/report.ts'

const PHASES = ['floor', 'write', 'hash', 'read']
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

  it('times every phase as often as it was asked to', () => {
    assert.deepEqual(report.rows.map(({ phase }) => phase), PHASES)
    assert.deepEqual(report.rows.map(({ samples }) => samples), [2, 2, 2, 2])
    assert.deepEqual(report.rows.map(({ durable }) => durable), [true, true, false, false])
    assert.deepEqual(report.rows.map(({ cid }) => cid?.replace(/^bafy.*/, 'a root')), [`${BYTES} bytes`, 'a root', `${BYTES} bytes`, `${BYTES} bytes`])
    assert.equal(report.bytes, BYTES)
  })

  it('prints every phase and what had to hold', () => {
    for (const phase of PHASES) {
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

describe('the targets of large-file', () => {
  const row = (phase: string, p50: number): LargeFileRow => ({ ...unmeasured, case: 'large-file', phase, what: '', version: null, status: 'ok', reason: null, samples: 1, rawMs: [p50], p50 })

  it('are kept down to their limits, and broken below', () => {
    const kept = (write: number, read: number): boolean[] => judgeTargets([row('floor', 800), row('write', write), row('hash', 400), row('read', read)]).map(target => target.kept)

    assert.deepEqual(kept(1_000, 500), [true, true])
    assert.deepEqual(kept(1_001, 501), [false, false])
  })

  it('are not judged without their rows', () => {
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
