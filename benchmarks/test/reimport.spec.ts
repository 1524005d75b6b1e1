import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sections } from '../src/cases/reimport/charts.ts'
import { readOptions } from '../src/cases/reimport/options.ts'
import { judgeTargets } from '../src/cases/reimport/targets.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { ReimportReport, ReimportRow } from '../src/cases/reimport/report.ts'

const PHASES = ['cold', 'walk', 'again', 'changed', 'cp', 'export', 'export-again', 'export-by-time', 'unique', 'repeated']

describe('a run of reimport', () => {
  let report: ReimportReport
  let stdout: string

  before(async () => {
    const directory = await temporary()
    const source = join(directory, 'source')
    const json = join(directory, 'report.json')

    await mkdir(join(source, 'a/b'), { recursive: true })
    await Promise.all(Array.from({ length: 30 }, async (_, i) => writeFile(join(source, i % 2 === 0 ? 'a' : 'a/b', `${i}`), 'x'.repeat(i * 200))))
    await symlink('a/0', join(source, 'link'))
    stdout = String((await startCli('index', ['reimport', '--test-path', source, '--iterations', '2', '--changed', '3', '--equal-files', '120', '--json', json])).stdout)
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('has every phase, which touched exactly the expected files', () => {
    assert.deepEqual(report.rows.map(({ phase }) => phase), PHASES)
    assert.deepEqual(report.rows.map(({ touched }) => touched), [30, null, 0, 3, null, 30, 0, 0, 120, 120])
    assert.deepEqual(report.rows.map(({ samples }) => samples), [1, 2, 2, 2, 2, 2, 2, 2, 40, 40])
    assert.equal(report.case, 'reimport')
    assert.equal(report.files, 30)
  })

  it('prints every phase and its requirements', () => {
    for (const phase of PHASES) {
      assert.ok(stdout.includes(`- \`${phase}\``), phase)
    }

    assert.ok(stdout.includes('to that of a bare walk with lstat'))
    assert.match(stdout, /\| repeated +\| .*x the time of unique/)
  })

  it('gives the page three charts, one for files of equal content', () => {
    const [{ charts, tables }] = sections(report)

    assert.deepEqual(charts.map(({ table }) => table.rows.map(([phase]) => phase)), [['walk', 'again', 'changed'], ['cp', 'export', 'export-again', 'export-by-time'], ['unique', 'repeated']])
    assert.equal(tables.length, 2)
  })
})

describe('the targets of reimport', () => {
  const row = (phase: string, p50: number): ReimportRow => ({ case: 'reimport', phase, what: '', samples: 1, rawMs: [p50], p50, touched: 0, durable: false, status: 'ok', reason: null })

  it('hold up to their limits, and fail beyond', () => {
    const kept = (again: number, changed: number): boolean[] => judgeTargets([row('walk', 100), row('again', again), row('changed', changed)], { changed: 10 }).map(target => target.kept)

    assert.deepEqual(kept(250, 350), [true, true])
    assert.deepEqual(kept(251, 352), [false, false])
  })

  it('limit files of equal content to the time of others, from a thousand', () => {
    const judged = (repeated: number, files: number): boolean[] => judgeTargets([row('unique', 100), { ...row('repeated', repeated), touched: files }], { changed: 10 }).map(target => target.kept)

    assert.deepEqual([judged(100, 1_000), judged(101, 1_000), judged(101, 999)], [[true], [false], []])
  })

  it('are not judged without rows, nor for larger sizes', () => {
    assert.deepEqual(judgeTargets([row('walk', 100)], { changed: 10 }), [])
    assert.equal(judgeTargets([row('walk', 100), row('again', 100), row('changed', 900)], { changed: 11 }).length, 1)
  })
})

describe('the options of reimport', () => {
  it('are read from flags, then the environment', () => {
    assert.equal(readOptions({ iterations: 2 }, { ITERATIONS: '3' }).iterations, 2)
    assert.equal(readOptions({}, { ITERATIONS: '3' }).iterations, 3)
    assert.equal(readOptions({}, {}).testPath, null)
    assert.throws(() => readOptions({ changed: 0 }, {}), /changed/)
  })
})
