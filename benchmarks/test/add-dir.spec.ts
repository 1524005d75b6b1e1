import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { contenderKeys } from '../src/contenders/index.ts'
import { generateTree } from '../src/corpora/generate-tree.ts'
import { rowsOf, startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import { treeCid } from './tree-cid.ts'
import { wrappedKubo } from './wrapped-kubo.ts'
import type { WrappedKubo } from './wrapped-kubo.ts'
import type { Report } from '../src/cases/add-dir/index.ts'

const ITERATIONS = 2
const FILES = 12
const BYTES = 3_000_000

/**
 * What the running thing has to say of itself, for each contender
 */
const VERSIONS: Readonly<Record<string, RegExp>> = {
  floor: /^Node \d+\.\d+\.\d+$/,
  'dagfs-mem': /^dagfs \d+\.\d+\.\d+$/,
  'dagfs-pack': /^dagfs \d+\.\d+\.\d+$/,
  'dagfs-fs': /^dagfs \d+\.\d+\.\d+$/,
  'helia-mem': /^helia 7\.\d+\.\d+, @helia\/unixfs 8\.\d+\.\d+$/,
  'helia-fs': /^helia 7\.\d+\.\d+, @helia\/unixfs 8\.\d+\.\d+$/,
  ipfs: /^ipfs-core 0\.18\.1$/,
  kubo: /^kubo\/\d+\.\d+\.\d+ ?\S* \(daemon\)$/,
  'kubo-direct': /^kubo\/\d+\.\d+\.\d+ ?\S* \(command\)$/
}

describe('a run of add-dir with all contenders', () => {
  let corpus: string
  let tmpdir: string
  let kubo: WrappedKubo
  let report: Report
  let stdout: string
  let exitCode: number | undefined

  before(async () => {
    const directory = await temporary()
    const json = join(directory, 'report.json')

    corpus = join(directory, 'corpus')
    tmpdir = await temporary()
    kubo = await wrappedKubo()
    await generateTree(corpus, { files: FILES, bytes: BYTES, depth: 2, duplicates: 0, seed: 'add-dir' })

    const result = await startCli('index', ['add-dir', '--json', json], {
      KUBO_BINARY: kubo.binary,
      ITERATIONS: String(ITERATIONS),
      MIN_TIME: '0',
      TEST_PATH: corpus,
      TMPDIR: tmpdir
    })

    exitCode = result.exitCode
    stdout = String(result.stdout)
    assert.equal(exitCode, 0, `${stdout}\n${String(result.stderr)}`)
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('ends by itself, and leaves no directory behind', async () => {
    assert.equal(exitCode, 0)
    assert.deepEqual(await readdir(tmpdir), [])
  })

  it('writes a report of the documented shape', () => {
    assert.equal(report.schema, 1)
    assert.deepEqual(Object.keys(report), ['schema', 'case', 'machine', 'options', 'rows', 'cidEquality', 'kuboAgreement', 'made'])

    for (const row of report.rows) {
      assert.deepEqual(Object.keys(row), ['case', 'contender', 'version', 'corpus', 'files', 'bytes', 'phase', 'firstRssBytes', 'durable', 'samples', 'rawMs', 'rounds', 'opsPerSec', 'msPerOp', 'p50', 'p95', 'p99', 'maxRssBytes', 'cid', 'cidGroup', 'status', 'reason'])
    }
  })

  it('has a cold and a warm row for every contender, in order', () => {
    assert.deepEqual(report.rows.map(({ contender, phase }) => [contender, phase]), contenderKeys.flatMap(key => [[key, 'cold'], [key, 'warm']]))
  })

  contenderKeys.forEach(itMeasured)

  function itMeasured (key: string): void {
    it(`measured consistent values: ${key}`, () => {
      for (const row of rowsOf(report, key)) {
        assert.equal(row.status, 'ok')
        assert.equal(row.reason, key === 'floor' ? 'left out of the equality: it makes no blocks, and so no CID' : null)
        assert.match(row.version ?? '', VERSIONS[key])
        assert.deepEqual([row.files, row.bytes], [FILES, BYTES])
        assert.equal(row.rawMs.length, ITERATIONS)
        assert.equal(row.samples, ITERATIONS)
        assert.ok(row.rawMs.every(ms => ms > 0))
        assert.ok(Math.abs((row.opsPerSec ?? 0) * (row.msPerOp ?? 0) - 1000) < 1e-6)
      }
    })
  }

  it('ran Kubo over RPC for kubo, and the command for kubo-direct', async () => {
    const calls = await kubo.calls()
    const adds = calls.filter(call => call.startsWith('--offline add'))

    // a process each to verify, for cold and for warm, and one to agree with
    assert.deepEqual(calls.filter(call => call.startsWith('daemon')), Array.from({ length: 4 }, () => 'daemon --offline'))
    // once to verify, once to fill the warm store, and the rounds of two phases
    assert.deepEqual(adds, Array.from({ length: 2 + 2 * ITERATIONS }, () => `--offline add -r -Q -H --pin=false ${corpus}`))
  })

  it('gives every UnixFS contender the CID of the corpus', async () => {
    const cid = await treeCid(corpus)

    assert.deepEqual(report.cidEquality[1], { corpus, group: 'unixfs-v1-2025', equal: true, cid, contenders: ['helia-mem', 'helia-fs', 'ipfs', 'kubo', 'kubo-direct'] })
    assert.ok(report.rows.filter(row => row.cidGroup === 'unixfs-v1-2025').every(row => row.cid === cid))
  })

  it('gives all dagfs contenders one CID', () => {
    const [{ cid, ...equality }] = report.cidEquality

    assert.deepEqual(equality, { corpus, group: 'dag-cbor', equal: true, contenders: ['dagfs-mem', 'dagfs-fs', 'dagfs-pack'] })
    assert.match(cid ?? '', /^bafyrei/)
  })

  it('counts dagfs\'s blocks with Kubo, which encodes them', () => {
    const [{ blocks, imported, reencodedEqual }] = report.kuboAgreement

    assert.ok(blocks > 1)
    assert.equal(imported, blocks)
    assert.equal(reencodedEqual, true)
  })

  it('records the peak memory of every working process', () => {
    for (const { contender, firstRssBytes, maxRssBytes } of report.rows) {
      assert.ok(firstRssBytes != null && maxRssBytes != null && firstRssBytes > 2 ** 20, contender)
      assert.ok(firstRssBytes <= maxRssBytes, contender)
    }
  })

  it('claims no sync for contenders that do not sync', () => {
    assert.ok(report.rows.every(({ contender, durable }) => durable === ['floor', 'dagfs-pack'].includes(contender)))
  })

  it('prints a row for each contender, and the verdict in words', () => {
    for (const key of contenderKeys) {
      assert.ok(stdout.includes(`${key} - ${corpus} `))
    }

    assert.match(stdout, /the dag-cbor CIDs are equal, bafyrei\w+, from dagfs-mem, dagfs-fs, dagfs-pack\./)
    assert.match(stdout, /the unixfs-v1-2025 CIDs are equal, bafybei\w+, from helia-mem, helia-fs, ipfs, kubo, kubo-direct\./)
    assert.match(stdout, /Kubo counts (\d+) blocks under our root of \1, and keeps the CID of every dag-cbor block/)
  })
})
