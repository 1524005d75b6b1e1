import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { encode } from '@ipld/dag-cbor'
import { generateCar, readCar } from '../src/cases/codec/car.ts'
import { CODEC } from '../src/cases/codec/case.ts'
import { sections } from '../src/cases/codec/charts.ts'
import { dagCbor } from '../src/cases/codec/codecs/dag-cbor.ts'
import { dagfsReading } from '../src/cases/codec/codecs/dagfs.ts'
import { keepingText, refusingText } from '../src/cases/codec/codecs/text.ts'
import { carColumns, usOf } from '../src/cases/codec/columns.ts'
import { families, valuesOf } from '../src/cases/codec/families.ts'
import { carRowsOf, carTurns } from '../src/cases/codec/measure-car.ts'
import { readOptions } from '../src/cases/codec/options.ts'
import { judgeRequirements } from '../src/cases/codec/requirements.ts'
import { sayCompared } from '../src/cases/codec/say-compared.ts'
import { measureStrictness, triedOf } from '../src/cases/codec/strictness.ts'
import { timedFamily } from '../src/cases/codec/timed-family.ts'
import { readCommitted } from '../src/report/committed.ts'
import { endingBadly, startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { DirectoryFigures } from '../src/cases/codec/measure-directories.ts'
import type { CarRow, CodecReport } from '../src/cases/codec/report.ts'

const ITERATIONS = 2
const CODECS = ['dag-cbor', 'dag-cbor-2', 'borc', 'cbor-x', 'atcute']

describe('a run of codec with all libraries', () => {
  let report: CodecReport
  let stdout: string
  let exitCode: number | undefined

  before(async () => {
    const json = join(await temporary(), 'report.json')
    const result = await startCli('index', [
      'codec', '--families', 'rnd-100,rnd-fil-300', '--values', '40', '--blocks', '1500', '--ill-formed', '300', '--json', json
    ], { ITERATIONS: String(ITERATIONS), MIN_TIME: '0' })

    stdout = String(result.stdout)
    exitCode = result.exitCode
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('has a row for every library, family and direction', () => {
    const rows = ['rnd-100 encode', 'rnd-100 decode', 'rnd-fil-300 encode', 'rnd-fil-300 decode'].flatMap(row => CODECS.map(codec => `${row} ${codec}`))

    assert.deepEqual(report.rows.map(({ family, direction, codec }) => `${family} ${direction} ${codec}`), rows)
  })

  it('measured every row after verifying that its encoding decodes', () => {
    for (const row of report.rows) {
      assert.equal(row.status, 'ok', `${row.codec}, ${row.family}: ${row.reason}`)
      assert.equal(row.rawMs.length, ITERATIONS)
      assert.ok((row.opsPerSec ?? 0) > 0)
    }
  })

  it('names the versions that ran', () => {
    const versions = new Map(report.rows.map(({ codec, version }) => [codec, version]))

    assert.deepEqual([...versions], [
      ['dag-cbor', '@ipld/dag-cbor 10.0.2'], ['dag-cbor-2', '@ipld/dag-cbor 2.0.3'], ['borc', 'borc 3.0.0'], ['cbor-x', 'cbor-x 1.6.9'], ['atcute', '@atcute/cbor 2.3.6']
    ])
  })

  it('finds a name in place ten times faster than by decoding everything', () => {
    const [links] = report.directories
    assert.deepEqual(report.directories.map(({ content, entries }) => [content, entries]), [['links', 1000], ['inlined', 1000]])
    assert.ok(usOf(links, 'full') > 10 * usOf(links, 'in place'), JSON.stringify(links.ways))
  })

  it('measures all ways of look-up in turn, equally often', () => {
    for (const { ways } of report.directories) {
      assert.deepEqual(ways.map(({ key, status }) => [key, status]), [['in place', 'ok'], ['strict', 'ok'], ['lazy CIDs', 'ok'], ['full', 'ok']])
      assert.ok(ways.every(({ samples, rawUs }) => samples === 30 && rawUs.length === 30))
    }
  })

  it('shows how much faster look-up is than either decoder', () => {
    assert.match(stdout, /\| Way +\| what +\| +µs \| faster than full \| faster than strict \|/)
    assert.match(stdout, /\| in place +\|.*\| +[\d,.]+x \| +[\d,.]+x \|/)
  })

  it('reads and writes the CAR, and gets the same file', () => {
    const { car } = report

    assert.ok(car != null)
    assert.deepEqual(report.carRows.map(({ codec, work, status }) => [codec, work, status]), [
      ['dag-cbor', 'read', 'ok'], ['dag-cbor-2', 'read', 'ok'], ['dag-cbor', 'read and write', 'ok'], ['dag-cbor-2', 'read and write', 'ok']
    ])
    assert.equal(car.blocks, 1500)

    for (const { run, work, rawMs = [] } of report.carRows) {
      assert.equal(rawMs.length, 3)
      assert.equal(run?.ms, rawMs.toSorted((a, b) => a - b)[1])
      assert.deepEqual([run?.blocks, run?.bytes], [car.blocks, car.bytes])
      assert.deepEqual([run?.digest, run?.compared], work === 'read' ? [undefined, 1_000] : [car.digest, undefined])
    }
  })

  it('shows median, minimum and maximum of the runs over the CAR', () => {
    assert.match(stdout, /\| dag-cbor +\| read and write +\| +[\d.]+ \| +[\d.]+–[\d.]+ \| +3 \| +[\d.]+ \| +[\d.]+ % \/ [\d.]+ x \([\d.]+–[\d.]+\)/)
    assert.ok(sections(report)[0].charts.some(({ basis }) => basis.startsWith('3 samples each over ')))
  })

  it('passes ill-formed strings through a CAR on request, and refuses them in strict mode', () => {
    const { kept, refusal, car } = report.illFormedCar ?? assert.fail('it was not measured')

    assert.deepEqual([kept.status, kept.run?.digest, car.blocks], ['ok', car.digest, 300])
    assert.match(refusal ?? '', /not UTF-8/)
  })

  it('shows that our reader handles every encoding as documented, unlike @ipld/dag-cbor', () => {
    const wrong = (codec: string): string[] => triedOf(report.strictness).find(row => row.codec === codec)?.wrong.map(told => told.slice(0, told.indexOf(':'))) ?? ['not there']

    assert.deepEqual(new Set(wrong('dagfs')), new Set(['whole floats', 'nesting beyond 512']))
    assert.deepEqual(new Set(wrong('dag-cbor')), new Set(['floats', 'whole floats', 'maps', 'simple values', 'text', 'DASL suite']))
  })

  it('shows the results of NaN, infinities and cycles', () => {
    const encodings = Object.fromEntries(triedOf(report.strictness).map(row => [row.codec, row.encoding]))

    assert.deepEqual(encodings['dag-cbor'], { NaN: 'refused', Infinity: 'refused', '-Infinity': 'refused', cycle: 'refused' })
    assert.equal(encodings['dag-cbor-2'].NaN, 'accepted')
  })

  it('marks a library that wrote other bytes, in chart, note and table', () => {
    for (const { spec, caption, table } of sections(report)[0].charts.filter(({ title }) => title.endsWith('@ipld/dag-cbor on borc'))) {
      assert.match(caption, /cbor-x wrote other bytes in 2 of 2 families, so that its bars are of other work/)
      assert.match(JSON.stringify(spec), /"cbor-x \(other bytes\)"/)
      assert.doesNotMatch(JSON.stringify(spec), /"cbor-x"|"[^"]*atcute \(/)
      assert.deepEqual(table.rows.filter(([, library]) => library.includes('(other bytes)')).map(([family, library]) => [family, library]), [['rnd-100', 'cbor-x (other bytes)'], ['rnd-fil-300', 'cbor-x (other bytes)']])
    }
  })

  it('prints the document\'s lines, and that all targets hold', () => {
    assert.match(stdout, /^rnd-100 @ 40\n {8}encode \(avg \d+ b\): dag-cbor @ [\d,]+ op\/s \/ dag-cbor-2 @ [\d,]+ op\/s( \(other bytes\))? = [\d.,]+ % /m)
    assert.doesNotMatch(stdout, /BROKEN/)
    assert.equal(exitCode, 0)
  })
})

describe('a CAR', () => {
  const signal = new AbortController().signal

  it('is not counted as read if the codec decodes it wrongly', async () => {
    const file = join(await temporary(), 'blocks.car')

    await generateCar(file, { blocks: 20, carBytes: 0, seed: 'a' }, () => {}, signal)
    assert.deepEqual([(await readCar(file, dagCbor)).blocks, (await readCar(file, dagCbor)).compared], [20, 20])
    await assert.rejects(readCar(file, { ...dagCbor, decode: bytes => [dagCbor.decode(bytes)] }), /does not encode to the same bytes again/)
  })

  it('is reported as unchanged only for codecs that preserved it', () => {
    const row = (codec: string, work: CarRow['work'], status: CarRow['status'], compared?: number): CarRow => ({ codec, work, status, run: { ms: 1, blocks: 1, bytes: 1, ...compared == null ? {} : { compared } } })
    const written = 'The sha2-256 of the file that was written by a is that of the one that was read.'

    assert.equal(sayCompared([row('a', 'read and write', 'ok'), row('b', 'read and write', 'failed')]), written)
    assert.equal(sayCompared([row('a', 'read', 'ok', 1_000), row('a', 'read and write', 'ok')]), `${written} Of those that only read, the last 1,000 blocks were encoded again, untimed, and are the same.`)
    assert.equal(sayCompared([row('a', 'read', 'ok'), row('a', 'read and write', 'failed')]), '')
  })
})

describe('the runs over the CAR', () => {
  const flags = ['--codecs', 'dag-cbor,dag-cbor-2', '--families', 'rnd-100', '--values', '10', '--entries', '10', '--blocks', '10', '--ill-formed', '10']

  it('are separate parts, so that an interrupt keeps finished ones', async () => {
    const directory = await temporary()
    const [json, journal] = [join(directory, 'report.json'), join(directory, 'measured.jsonl')]
    const run = async (): Promise<CodecReport> => {
      await startCli('index', ['codec', ...flags, '--json', json, '--resume', journal], { ITERATIONS: '1', MIN_TIME: '0' })

      return JSON.parse(await readFile(json, 'utf8'))
    }
    const timesOf = ({ carRows }: CodecReport): Array<readonly number[]> => carRows.map(({ rawMs = [] }) => rawMs)
    const [first, lines] = [timesOf(await run()), (await readFile(journal, 'utf8')).split('\n')]
    const last = lines.findIndex(line => line.startsWith('{"key":"car/read/2/dag-cbor"'))

    await writeFile(journal, `${lines.slice(0, last + 1).join('\n')}\n`)

    const again = timesOf(await run())

    assert.deepEqual(again.map(times => times.length), [3, 3, 3, 3])
    assert.deepEqual([again[0].slice(0, 2), again[1].slice(0, 1)], [first[0].slice(0, 2), first[1].slice(0, 1)])
    assert.notEqual(again[0][2], first[0][2])
    assert.notEqual(again[1][1], first[1][1])
  })

  it('take turns, and a row has one sample for each', () => {
    const turns = carTurns({ codecs: ['dag-cbor', 'dag-cbor-2', 'borc'] })

    assert.deepEqual(turns.slice(0, 3), [{ codec: 'dag-cbor', work: 'read', number: 1 }, { codec: 'dag-cbor-2', work: 'read', number: 1 }, { codec: 'dag-cbor', work: 'read', number: 2 }])
    assert.equal(turns.length, 12)

    const rows = carRowsOf(turns.slice(0, 3).map((turn, index) => ({ ...turn, row: { ...turn, status: 'ok', run: { ms: index, blocks: 1, bytes: 1 } } })))

    assert.deepEqual(rows.map(({ codec, rawMs }) => [codec, rawMs]), [['dag-cbor', [0, 2]], ['dag-cbor-2', [1]]])
    assert.doesNotMatch(carColumns(rows).flatMap(({ cell }) => rows.map(cell)).join(), /NaN|undefined/)
  })
})

describe('decoded values', () => {
  it('are compared outside the timed section, so that a broken decoder fails', async () => {
    const codec = { ...dagCbor }
    const timed = timedFamily(codec, families[0], 20, 'a')

    assert.equal((await timed.decode()).cid, timed.digest)
    codec.decode = () => 'forgotten'
    assert.notEqual((await timed.decode()).cid, timed.digest)
  })
})

describe('a codec whose process fails', () => {
  it('has failed rows, and the others continue', async () => {
    const json = join(await temporary(), 'report.json')
    const { exitCode } = await startCli('index', [
      'codec', '--codecs', 'dag-cbor,cbor-x', '--families', 'rnd-100', '--values', '10', '--entries', '10', '--blocks', '10', '--ill-formed', '10', '--json', json
    ], { ITERATIONS: '1', MIN_TIME: '0', ...endingBadly('cbor-x') })
    const { rows, directories, carRows }: CodecReport = JSON.parse(await readFile(json, 'utf8'))

    assert.equal(exitCode, 1)
    assert.deepEqual(rows.map(({ codec, direction, status, reason }) => [codec, direction, status, reason]), ['encode', 'decode'].flatMap(direction => [
      ['dag-cbor', direction, 'ok', undefined],
      ['cbor-x', direction, 'failed', 'cbor-x could not be stopped cleanly (exit code 3)']
    ]))
    assert.ok([...directories.flatMap(({ ways }) => ways), ...carRows].every(({ status }) => status === 'ok'))
  })

  it('has failed look-ups and CARs, too', async () => {
    const json = join(await temporary(), 'report.json')

    await startCli('index', [
      'codec', '--codecs', 'dag-cbor,cbor-x', '--families', 'rnd-100', '--values', '10', '--entries', '10', '--blocks', '10', '--ill-formed', '10', '--json', json
    ], { ITERATIONS: '1', MIN_TIME: '0', ...endingBadly('dag-cbor') })

    const { directories, carRows }: CodecReport = JSON.parse(await readFile(json, 'utf8'))

    assert.deepEqual(directories[0].ways.map(({ key, status }) => [key, status]), [['in place', 'ok'], ['strict', 'ok'], ['lazy CIDs', 'failed'], ['full', 'failed']])
    assert.ok(carRows.every(({ status, reason = '' }) => status === 'failed' && reason.includes('exit code 3')))
  })
})

describe('a codec that does not load', () => {
  it('is shown with its reason in tables, text, page and faults', async () => {
    const strictness = await measureStrictness(['nope', 'dag-cbor'])
    const [report] = (await readCommitted()).filter(({ case: key }) => key === 'codec')
    const shown = CODEC.show({ ...report, ...{ strictness } })
    const said = /^nope, strictness: there is no codec nope/

    assert.deepEqual(strictness.map(({ codec, status }) => [codec, status]), [['nope', 'failed'], ['dag-cbor', undefined]])
    assert.ok(shown.text.split('\n').some(line => said.test(line)))
    assert.match(shown.text, /^\| nope +\| +failed \|/m)
    assert.ok(shown.faults.some(fault => said.test(fault)))
    assert.ok(shown.sections[0].unavailable.some(({ what, reason }) => said.test(`${what}: ${reason}`)))
  })
})

describe('the target of look-up in place', () => {
  const way = (key: string, usPerBlock: number | null): DirectoryFigures['ways'][number] => ({ key, what: '', status: usPerBlock == null ? 'failed' : 'ok', usPerBlock, samples: 1, rawUs: usPerBlock == null ? [] : [usPerBlock] })
  const held = (full: number | null, strict: number | null): string[] => judgeRequirements({
    rows: [],
    directories: [{ content: 'links', entries: 1_000, bytes: 1, ways: [way('in place', 10), way('full', full), way('strict', strict)] }],
    strictness: [],
    carRows: []
  }).filter(({ what, holds }) => what.includes('in place') && holds).map(({ what }) => what.slice(what.indexOf('with ')))

  it('is ten times the speed of @ipld/dag-cbor, and reports our own decoder\'s', () => {
    assert.deepEqual(held(100, 99), ['with @ipld/dag-cbor'])
    assert.deepEqual(held(99, 100), [])
  })

  it('fails if the decoder was not measured', () => {
    assert.deepEqual(held(null, 100), [])
  })
})

describe('targets of codec', () => {
  const nothing = { rows: [], directories: [], strictness: [], carRows: [] }
  const said = (part: Partial<Parameters<typeof judgeRequirements>[0]>, what: RegExp): boolean[] => judgeRequirements({ ...nothing, ...part }).filter(requirement => what.test(requirement.what)).map(({ holds }) => holds)

  it('are not judged without measurements', () => {
    for (const what of [/every family/, /is the one that was read/, /encodes to the same bytes again/, /in place/]) {
      assert.deepEqual(said({}, what), [])
    }
  })

  it('are judged for the runs over the CAR they apply to', () => {
    const row = (work: CarRow['work'], status: CarRow['status']): CarRow => ({ codec: 'dag-cbor', work, status })
    const carRows = [row('read', 'ok'), row('read and write', 'failed')]

    assert.deepEqual(said({ carRows }, /encodes to the same bytes again/), [true])
    assert.deepEqual(said({ carRows }, /is the one that was read/), [false])
  })

  it('require strict dag-cbor of our reader, except whole floats and deep nesting', async () => {
    const [row] = triedOf(await measureStrictness(['dagfs']))
    const strict = (rules: typeof row.rules): boolean[] => said({ strictness: [{ ...row, rules: { ...row.rules, ...rules } }] }, /refuses what is not dag-cbor/)

    assert.deepEqual(row.rules['nesting beyond 512'], { right: 0, of: 2 })
    assert.deepEqual(strict({}), [true])
    assert.deepEqual(strict({ nesting: { right: 1, of: 2 } }), [false])
  })

  it('require our own encoder to refuse invalid values, not only @ipld/dag-cbor', async () => {
    const strictness = triedOf(await measureStrictness(['dag-cbor', 'dagfs']))

    assert.deepEqual(said({ strictness }, /refused on encoding/), [true])
    assert.deepEqual(said({ strictness: strictness.map(row => row.codec === 'dagfs' ? { ...row, encoding: { ...row.encoding, NaN: 'accepted' } } : row) }, /refused on encoding/), [false])
    assert.notEqual(dagfsReading.encode, dagCbor.encode)
  })
})

describe('the values of the families', () => {
  it('number thirteen, named as in the document', () => {
    assert.deepEqual(families.map(({ name }) => name), [
      'rnd-100', 'rnd-300', 'rnd-nomap-300', 'rnd-nofloat-300', 'rnd-nostr-300', 'rnd-nostrbyts-300', 'rnd-1000', 'rnd-2000',
      'rnd-fil-100', 'rnd-fil-300', 'rnd-fil-500', 'rnd-fil-1000', 'rnd-fil-2000'
    ])
  })

  it('are the same for the same seed, and differ for another', () => {
    const [family] = families
    const bytes = (seed: string): string => Buffer.from(encode(valuesOf(family, 20, seed))).toString('hex')

    assert.equal(bytes('a'), bytes('a'))
    assert.notEqual(bytes('a'), bytes('b'))
  })

  it('leave Math.random unchanged', () => {
    const original = Math.random

    valuesOf(families[0], 1, 'a')
    assert.equal(Math.random, original)
  })
})

describe('strings that are not UTF-8', () => {
  const block = Buffer.from(['a2', '6161', '62c328', '6162', '82', '6161', '62ff61'].join(''), 'hex')

  it('are refused in strict mode', () => {
    assert.throws(() => refusingText.decode(block), /not UTF-8/)
  })

  it('pass through byte for byte on request', () => {
    assert.ok(block.equals(keepingText.encode(keepingText.decode(block))))
  })
})

describe('the options of codec', () => {
  it('have defaults', () => {
    const options = readOptions({}, {})

    assert.equal(options.blocks, 500_000)
    assert.equal(options.values, 1000)
    assert.deepEqual(options.codecs, CODECS)
  })

  it('refuse an unknown family or codec', () => {
    assert.throws(() => readOptions({ families: 'rnd-7' }, {}), /there is no family rnd-7/)
    assert.throws(() => readOptions({ codecs: 'json' }, {}), /there is no codec json/)
  })
})
