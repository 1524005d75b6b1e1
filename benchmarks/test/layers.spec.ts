import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { encode } from '@ipld/dag-cbor'
import { CID } from 'multiformats/cid'
import { sections } from '../src/cases/layers/charts.ts'
import { requireRight } from '../src/cases/layers/checks.ts'
import { layerColumns } from '../src/cases/layers/columns.ts'
import { layerOf, layers } from '../src/cases/layers/layers.ts'
import { makeStore } from '../src/cases/layers/make-store.ts'
import { measureLayers } from '../src/cases/layers/measure-layers.ts'
import { defaults, readOptions } from '../src/cases/layers/options.ts'
import { messages } from '../src/cases/layers/records.ts'
import { judgeTargets } from '../src/cases/layers/targets.ts'
import { TARGET_COLUMNS } from '../src/harness/target.ts'
import { endingBadly, startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { LayerRow, LayersReport } from '../src/cases/layers/report.ts'

const ITERATIONS = 2
const READ_SIZES = [1024, 65_536, 131_072]
const BYTES = 3_000_000
const keys = layers.map(({ key }) => key)

describe('the table of layers', () => {
  const row = (readBytes: number, samples: number): LayerRow => ({ case: 'layers', layer: 'log', by: 'dagfs', what: '', version: null, readBytes, pieces: null, bytes: 1, samples, rawMs: [], p50: samples > 0 ? 1 : null, status: samples > 0 ? 'ok' : 'unavailable', reason: null })
  const runs = (...rows: LayerRow[]): string | undefined => layerColumns([]).find(({ title }) => title === 'runs')?.cell(rows)

  it('shows the range of runs of each layer', () => {
    assert.equal(runs(row(1_024, 3), row(65_536, 15)), '3 to 15')
    assert.equal(runs(row(1_024, 15), row(65_536, 15)), '15')
    assert.equal(runs(row(1_024, 0), row(65_536, 7)), '7')
    assert.equal(runs(row(1_024, 0)), '0')
  })
})

describe('a run of all layers', () => {
  let report: LayersReport
  let stdout: string
  let exitCode: number | undefined

  before(async () => {
    const json = join(await temporary(), 'report.json')
    const result = await startCli('index', ['layers', '--bytes', String(BYTES), '--read-sizes', READ_SIZES.join(','), '--json', json], { ITERATIONS: String(ITERATIONS), MIN_TIME: '0' })

    stdout = String(result.stdout)
    exitCode = result.exitCode
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('has a row for every layer and size of reads', () => {
    assert.deepEqual(report.rows.map(({ layer, readBytes }) => [layer, readBytes]), READ_SIZES.flatMap(readBytes => keys.map(key => [key, readBytes])))
  })

  it('measured every available layer', () => {
    for (const row of report.rows) {
      const isPossible = !row.layer.startsWith('async-log') || row.readBytes >= 16_384

      assert.equal(row.status, isPossible ? 'ok' : 'unavailable', `${row.layer}, ${row.readBytes}: ${row.reason}`)
      assert.equal(row.rawMs.length, isPossible ? ITERATIONS : 0)
    }
  })

  it('gives the reason for unavailable layers', () => {
    assert.match(stdout, /async-log: unavailable, it reads a block of its file at once, which no record may cross, .* \(reads of 1 KiB\)/)
  })

  it('measures async-append-only-log with all block sizes that fit its records and are fast', () => {
    const { unavailable } = layerOf('async-log').source
    const [tooSmall, tooMany] = [1024, 4096].map(readBytes => unavailable?.({ store: '', others: '', readBytes }))

    assert.match(tooSmall ?? '', /no record may cross/)
    assert.match(tooMany ?? '', /syncs each that it writes/)
    assert.deepEqual([16, 32, 64, 256, 1024].map(kib => unavailable?.({ store: '', others: '', readBytes: kib * 1024 })), Array.from({ length: 5 }))
  })

  it('names the versions that ran', () => {
    const versions = new Map(report.rows.filter(({ version }) => version != null).map(({ layer, version }) => [layer, version]))

    assert.match(versions.get('log') ?? '', /^dagfs \d/)
    assert.equal(versions.get('flumelog'), 'flumelog-offset 3.4.4')
    assert.equal(versions.get('async-log'), 'async-append-only-log 4.3.10, bipf 1.9.0')
  })

  it('scans every record in every layer and read size', () => {
    const { stored } = report

    assert.ok(stored != null && stored.bytes >= BYTES)

    for (const row of report.rows.filter(({ layer, status }) => status === 'ok' && layer !== 'file' && layer !== 'blocks')) {
      assert.equal(row.pieces, stored.records, row.layer)
    }
  })

  it('reads all bytes of the files in layers below records', () => {
    const bytes = report.stored?.files?.bytes ?? NaN

    assert.ok(bytes > (report.stored?.bytes ?? NaN))
    assert.ok(report.rows.filter(({ layer }) => layer === 'file' || layer === 'blocks').every(row => row.bytes === bytes))
  })

  it('states how each layer was verified, or nothing if not', () => {
    const saidOf = (shown: LayersReport): string => sections(shown)[0].notes.at(-1) ?? ''

    assert.equal(saidOf(report), 'Before they are timed, layers are held against what was stored: ' +
      '`file`, `blocks` by the length and the sha2-256 of the store’s files; ' +
      '`log`, `flumelog` by the number of records and the sha2-256 over all of them; ' +
      '`in-place`, `decoded`, `flumelog-json`, `async-log-in-place` by the number of records and how often the property is what; ' +
      '`async-log` by the number of records. Every later scan has to come to the same counts.')
    assert.doesNotMatch(saidOf({ ...report, stored: { records: 1, bytes: 1, digest: '', tally: {} } }), /held against/)
  })

  it('judges no target at this size, and says so', () => {
    assert.deepEqual(report.targets, [])
    assert.match(stdout, /No targets are judged/)
    assert.equal(exitCode, 0)
  })

  it('has a chart with a line for every layer, and bars', () => {
    const [{ charts }] = sections(report)

    assert.equal(charts.length, 3)
    assert.ok(keys.every(key => JSON.stringify(charts).includes(`"${key}"`)))
  })
})

describe('a layer', () => {
  const stored = { records: 3, bytes: 30, digest: 'records', tally: { post: 3 }, files: { bytes: 40, digest: 'files' } }
  const right = { pieces: 3, bytes: 30, digest: 'records', tally: { post: 3 } }
  const rightFiles = { pieces: 9, bytes: 40, digest: 'files' }

  it('is accepted if it found the stored data', () => {
    for (const layer of layers) {
      requireRight(layer, layer.source.holds === 'files' ? rightFiles : right, stored)
    }
  })

  for (const key of ['file', 'blocks']) {
    it(`is refused with other or missing file bytes: ${key}`, () => {
      assert.throws(() => { requireRight(layerOf(key), { ...rightFiles, digest: 'others' }, stored) }, /the files have 40 with files/)
      assert.throws(() => { requireRight(layerOf(key), { ...rightFiles, bytes: 39 }, stored) }, /39 bytes/)
    })
  }

  for (const [key, wrong] of [
    ['log', { digest: 'others' }], ['flumelog', { digest: 'others' }], ['async-log', { pieces: 2 }],
    ['in-place', { tally: { post: 2, vote: 1 } }], ['decoded', { tally: {} }], ['flumelog-json', { tally: {} }], ['async-log-in-place', { tally: {} }]
  ] as const) {
    it(`is refused with other records: ${key}`, () => {
      assert.throws(() => { requireRight(layerOf(key), { ...right, ...wrong }, stored) })
    })
  }
})

describe('an interrupted part of layers', () => {
  it('keeps finished scans, without failed layers', async () => {
    const directory = await temporary()
    const controller = new AbortController()
    const { signal } = controller
    const options = { ...defaults, iterations: 1_000, minTimeMs: 0, layers: ['file', 'log'], bytes: 100_000 }
    const store = join(directory, 'store')
    const stored = await makeStore(store, options, () => {}, signal)
    const rows = await measureLayers({ store, others: directory, readBytes: 65_536 }, new Set(), {
      options,
      stored,
      signal,
      progress (line) {
        if (line.includes('sample 4')) {
          controller.abort()
        }
      }
    })

    assert.deepEqual(rows.map(({ layer, status }) => [layer, status]), [['file', 'ok'], ['log', 'ok']])
    assert.ok(rows.every(({ samples, rawMs, p50 }) => samples >= 3 && rawMs.length === samples && p50 != null))
  })
})

describe('a layer whose process fails', () => {
  it('has a failed row, and the others continue', async () => {
    const json = join(await temporary(), 'report.json')
    const { exitCode } = await startCli('index', ['layers', '--bytes', '100000', '--layers', 'log,blocks', '--read-sizes', '65536', '--json', json], { ITERATIONS: '1', MIN_TIME: '0', ...endingBadly('log') })
    const { rows }: LayersReport = JSON.parse(await readFile(json, 'utf8'))

    assert.equal(exitCode, 1)
    assert.deepEqual(rows.map(({ layer, status, reason }) => [layer, status, reason]), [['log', 'failed', 'log could not be stopped cleanly (exit code 3)'], ['blocks', 'ok', null]])
  })
})

describe('the records of layers', () => {
  const cid = CID.parse('bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua')
  const sizes = (seed: string): number[] => {
    const source = messages(seed)
    const found: number[] = []

    for (let { value } = source.next(); found.length < 500; ({ value } = source.next(cid))) {
      found.push(encode(value).byteLength)
    }

    return found
  }

  it('have about 1 KB', () => {
    const average = sizes('a').reduce((sum, size) => sum + size, 0) / 500

    assert.ok(average > 900 && average < 1200, String(average))
  })

  it('are the same for the same seed, and differ for another', () => {
    assert.deepEqual(sizes('a'), sizes('a'))
    assert.notDeepEqual(sizes('a'), sizes('b'))
  })
})

describe('the targets of layers', () => {
  const row = (layer: string, ms: number, readBytes = 65_536): LayerRow => ({ layer, rawMs: [ms], readBytes } as Partial<LayerRow> as LayerRow)
  const rows = [row('blocks', 100), row('log', 129), row('in-place', 200), row('decoded', 599), row('log', 500, 1024)]

  it('are judged by the medians at 64 KiB', () => {
    assert.deepEqual(judgeTargets(rows, { bytes: 343_000_000 }).map(({ value, kept }) => [value, kept]), [[1.29, true], [2.995, false]])
  })

  it('have the interval of their ratio', () => {
    const ms = (layer: string, ...rawMs: number[]): LayerRow => ({ ...row(layer, 0), rawMs })
    const [target] = judgeTargets([ms('log', 100, 110, 130), ms('blocks', 100, 100, 100)], { bytes: 343_000_000 })

    assert.deepEqual([target.value, target.interval], [1.1, { low: 1, high: 1.3 }])
    assert.equal(TARGET_COLUMNS.find(({ title }) => title === 'measured')?.cell(target), '1.1 x (1–1.3)')
  })

  it('are omitted without all measurements', () => {
    assert.deepEqual(judgeTargets(rows.slice(0, 3), { bytes: 343_000_000 }).map(({ value }) => value), [1.29])
  })
})

describe('the options of layers', () => {
  it('default to the size of the published measurements', () => {
    const { bytes, readSizes } = readOptions({}, {})

    assert.equal(bytes, 343_000_000)
    assert.deepEqual([Math.min(...readSizes), Math.max(...readSizes)], [1024, 2 ** 20])
  })

  for (const [what, flags] of [
    ['an unknown layer', { layers: 'json' }],
    ['reads of nothing', { readSizes: '0' }],
    ['no number', { bytes: 'many' }]
  ] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags, {}))
    })
  }
})
