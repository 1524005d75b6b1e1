import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { blockOf } from '../src/cases/store/blocks.ts'
import { sections } from '../src/cases/store/charts.ts'
import { readOptions } from '../src/cases/store/index.ts'
import { PHASES } from '../src/cases/store/phases.ts'
import { writableStore } from '../src/cases/store/stores.ts'
import { judgeTargets } from '../src/cases/store/targets.ts'
import { endingBadly, startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { StoreReport, StoreRow } from '../src/cases/store/index.ts'
import type { PhaseKey, StoreWorkerInit } from '../src/cases/store/protocol.ts'

describe('a run of store', () => {
  let report: StoreReport
  let stdout: string

  before(async () => {
    const json = join(await temporary(), 'report.json')
    const result = await startCli('index', [
      'store', '--blocks', '3000', '--fewer', '200', '--fs-blocks', '300', '--block-bytes', '100', '--gets', '50', '--json', json
    ], { ITERATIONS: '2', MIN_TIME: '0' })

    stdout = String(result.stdout)
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('has a row for every operation of every store', () => {
    assert.deepEqual(report.rows.map(({ contender, phase, blocks }) => [contender, phase, blocks]), [
      ['dagfs-pack', 'fill', 3000],
      ['dagfs-pack', 'fill', 200],
      ['blockstore-fs', 'fill', 300],
      ['dagfs-pack', 'get', 3000],
      ['dagfs-pack', 'get', 200],
      ['blockstore-fs', 'get', 300],
      ['dagfs-pack', 'open', 3000],
      ['dagfs-pack', 'scan', 3000]
    ])
  })

  it('measured every row, with its sizes', () => {
    for (const row of report.rows) {
      assert.equal(row.status, 'ok', `${row.contender}, ${row.phase}: ${row.reason}`)
      assert.ok(row.rawMs.length >= (row.phase === 'fill' ? 1 : 2))
      assert.ok(row.rawMs.every(ms => ms > 0))
      assert.ok((row.maxRssBytes ?? 0) > 0)
      assert.match(row.version ?? '', row.contender === 'blockstore-fs' ? /^blockstore-fs \d/ : /^dagfs \d/)
    }

    assert.deepEqual(report.rows.map(({ cid }) => cid), ['3000 blocks', '200 blocks', '300 blocks', '50 blocks', '50 blocks', '50 blocks', 'one store', '3000 blocks'])
  })

  it('judges every target', () => {
    assert.equal(report.targets.length, 5)

    for (const { what } of report.targets) {
      assert.ok(stdout.includes(what))
    }
  })

  it('shows a bar for every store, and no charts without measurements', () => {
    const [section] = sections(report)

    assert.equal(section.charts.length, 1)
    assert.equal(section.charts[0].table.rows.length, 3)
    assert.deepEqual(sections({ ...report, rows: [], targets: [] })[0].charts, [])
  })
})

describe('a store whose process fails', () => {
  it('has failed rows, and the others continue', async () => {
    const json = join(await temporary(), 'report.json')
    const { exitCode } = await startCli('index', [
      'store', '--blocks', '30', '--fewer', '20', '--fs-blocks', '10', '--block-bytes', '100', '--gets', '5', '--json', json
    ], { ITERATIONS: '1', MIN_TIME: '0', ...endingBadly('blockstore-fs') })
    const { rows }: StoreReport = JSON.parse(await readFile(json, 'utf8'))

    assert.equal(exitCode, 1)
    assert.equal(rows.length, 8)

    for (const { contender, status, reason } of rows) {
      assert.equal(status, contender === 'blockstore-fs' ? 'failed' : 'ok')
      assert.match(reason ?? '', contender === 'blockstore-fs' ? /could not be stopped cleanly \(exit code 3\)$/ : /^$/)
    }
  })
})

describe('operations of a store', () => {
  const BLOCK_BYTES = 100
  const STORED = 5

  async function round (phase: PhaseKey, init: Pick<StoreWorkerInit, 'contender' | 'directory' | 'blocks'>): Promise<string> {
    const opened = await PHASES[phase]({ ...init, phase, blockBytes: BLOCK_BYTES, gets: 20 })

    try {
      return await (await opened.next())()
    } finally {
      await opened.close()
    }
  }

  it('fail from the first round if blocks have other bytes, with their number', async () => {
    const directory = await temporary()
    const store = writableStore('blockstore-fs', directory)

    await store.open()

    for (let number = 0; number < STORED; number++) {
      await store.put(blockOf(number, BLOCK_BYTES).cid, blockOf(number + 1, BLOCK_BYTES).bytes)
    }

    await store.close()
    await assert.rejects(round('get', { contender: 'blockstore-fs', directory, blocks: STORED }), /^Error: 0 of 20 blocks had the bytes that were put, and 20 not$/)
  })

  it('fail from the first round if a scan finds another number of blocks', async () => {
    const directory = await temporary()
    const stored = { contender: 'dagfs-pack', directory } as const

    await round('fill', { ...stored, blocks: STORED })

    assert.equal(await round('scan', { ...stored, blocks: STORED }), '5 blocks')
    await assert.rejects(round('scan', { ...stored, blocks: STORED + 2 }), /^Error: 5 of 7 blocks were found, and 2 not$/)
    await assert.rejects(round('scan', { ...stored, blocks: STORED - 1 }), /5 of 4 blocks/)
  })
})

describe('the targets of stores', () => {
  const options = readOptions({}, {})
  const row = (phase: StoreRow['phase'], blocks: number, p50: number, contender: StoreRow['contender'] = 'dagfs-pack'): StoreRow => ({
    case: 'store', contender, version: 'x 1', corpus: '', blocks, phase, operations: 1, durable: null, samples: 1, rawMs: [p50], opsPerSec: 1, msPerOp: p50, p50, p95: p50, p99: p50, maxRssBytes: 1e8, cid: '', status: 'ok', reason: null
  })

  it('compare operations of different stores', () => {
    const rows = [{ ...row('get', options.blocks, 10), maxRssBytes: 3e8 }, row('get', options.fewer, 6), row('get', options.fsBlocks, 90, 'blockstore-fs'), row('open', options.blocks, 2), row('scan', options.blocks, 120)]
    const targets = judgeTargets(rows, options)

    assert.deepEqual(targets.map(({ value }) => Math.round(value * 100) / 100), [9, 1.67, 60, 200])
    assert.deepEqual(targets.map(({ kept }) => kept), [false, true, true, false])
  })

  it('are omitted without measurements', () => {
    assert.deepEqual(judgeTargets([row('open', options.blocks, 2)], options), [])
  })
})
