import assert from 'node:assert/strict'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { frame, readFrames } from '../src/cases/format/framing.ts'
import { readOptions } from '../src/cases/format/options.ts'
import { generateTree } from '../src/corpora/generate-tree.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { FormatReport } from '../src/cases/format/index.ts'

describe('measure:format', () => {
  let report: FormatReport
  let printed: string

  before(async () => {
    const directory = await temporary()
    const source = join(directory, 'tree')
    const json = join(directory, 'report.json')

    await generateTree(source, { files: 40, bytes: 200_000, depth: 2, duplicates: 0.2, seed: 'measure-format' })
    await symlink('empty.txt', join(source, 'link'))

    const { exitCode, stdout, stderr } = await startCli('measure-format', [
      '--entries', '1000,10000', '--inlined', '3000', '--inserts', '40', '--name-sets', '2',
      '--limits', '0,2048', '--edits', '8', '--iterations', '1', '--test-path', source, '--json', json
    ])

    assert.equal(exitCode, 0, String(stderr))
    printed = String(stdout)
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('counts the blocks of each level', () => {
    const [small, large] = report.boundaries

    // 91 and 910 KB in leaves of about 30 KB, below one root
    assert.deepEqual([small, large].map(row => [row.entries, row.blocksPerLevel.length, row.blocksPerLevel[1]]), [[1_000, 2, 1], [10_000, 2, 1]])
    assert.ok(large.blocksPerLevel[0] >= 20 && large.blocksPerLevel[0] <= 45)
    assert.equal(Math.round(large.leafBytes.mean * large.blocksPerLevel[0] / 10_000), 91)
  })

  it('confirms that inserts stay within 8 blocks and 512 KiB', () => {
    for (const { inserts } of report.boundaries.filter(({ rule }) => rule === 'dagfs')) {
      assert.ok(inserts.blocks.mean >= 2 && inserts.blocks.max <= 8)
      assert.ok(inserts.bytes.max <= 512 * 1024)
    }
  })

  it('compares with a mask of as many leaves, and one for entries without content', () => {
    const [own, same, other] = report.boundaries.filter(({ content }) => content === 'inlined')

    assert.equal(own.rule, 'dagfs')
    assert.ok(Math.abs(same.leafBytes.mean / own.leafBytes.mean - 1) < 0.5)
    assert.ok(other.inserts.bytes.mean > 2 * own.inserts.bytes.mean)
  })

  it('lists 3,000 files in two round trips and few blocks', () => {
    const rows = report.listings.filter(({ files }) => files === 3_000)

    assert.deepEqual(rows.map(({ recorded }) => recorded), ['none', 'mode', 'mode, mtime'])

    for (const { blocks, roundTrips } of rows) {
      assert.ok(blocks.median >= 5 && blocks.max <= 18)
      assert.equal(roundTrips.max, 2)
    }
  })

  it('finds fewer blocks and larger directories with more inlining', () => {
    const [none, some] = report.inlineLimits

    assert.equal(none.duplicateBytes, 0)
    assert.ok(some.duplicateBytes > 0)
    assert.ok(some.blocks < none.blocks)
    assert.ok(some.directoryBytes > none.directoryBytes)
    assert.ok(none.editDirectoryBytes > 0 && none.editDirectoryBytes < none.editBytes)
  })

  it('imports into every store at every limit, or says why not', () => {
    assert.deepEqual(report.imports.map(({ store }) => store), ['memory', 'fs', 'idb'])

    for (const times of report.imports) {
      if (times.status === 'ok') {
        assert.deepEqual(Object.entries(times.rawMs).map(([limit, samples]) => [Number(limit), samples.length]), [[0, 1], [2048, 1]])
      } else {
        assert.equal(times.store, 'idb')
        assert.match(times.reason, /no Chromium was found/)
      }
    }
  })

  it('prints three tables in Markdown', () => {
    assert.equal(printed.split('\n').filter(line => /^\|[-|]+\|$/.test(line)).length, 3)
  })
})

describe('unavailable stores', () => {
  it('are reported with the reason', async () => {
    const directory = await temporary()
    const source = join(directory, 'tree')

    await generateTree(source, { files: 3, bytes: 3_000, depth: 1, duplicates: 0, seed: 'no-browser' })

    const { exitCode, stdout } = await startCli('measure-format', [
      '--entries', '10', '--inlined', '0', '--inserts', '1', '--name-sets', '1',
      '--limits', '0', '--edits', '1', '--iterations', '1', '--stores', 'idb', '--test-path', source
    ], { PATH: directory, CHROMIUM_PATH: undefined, PLAYWRIGHT_BROWSERS_PATH: directory })

    assert.equal(exitCode, 0)
    assert.match(String(stdout), /IndexedDB: unavailable, no Chromium was found/)
  })
})

describe('options of measure:format', () => {
  for (const [what, flags] of [
    ['an unknown store', { stores: 'memory,disk' }],
    ['no number', { entries: 'many' }],
    ['a negative limit', { limits: '-1' }],
    ['no iterations', { iterations: 0 }]
  ] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags, {}))
    })
  }
})

describe('streamed entries', () => {
  const bytes = Buffer.concat([
    frame({ kind: 'directory', path: 'd' }),
    frame({ kind: 'file', path: 'd/empty', size: 0 }),
    frame({ kind: 'file', path: 'd/ä', size: 3 }), Uint8Array.of(1, 2, 3),
    frame({ kind: 'symlink', path: 'l', target: 'd/ä' })
  ])

  async function read (pieceBytes: number, end = bytes.byteLength): Promise<unknown[]> {
    const read = []

    for await (const entry of readFrames(pieces(pieceBytes, end))) {
      read.push(entry)
    }

    return read
  }

  async function * pieces (pieceBytes: number, end: number): AsyncGenerator<Uint8Array> {
    for (let offset = 0; offset < end; offset += pieceBytes) {
      yield bytes.subarray(offset, Math.min(end, offset + pieceBytes))
    }
  }

  for (const pieceBytes of [1, 7, bytes.byteLength]) {
    it(`arrive as they were sent, in pieces of ${pieceBytes} bytes`, async () => {
      assert.deepEqual(await read(pieceBytes), [
        { kind: 'directory', path: 'd' },
        { path: 'd/empty', content: new Uint8Array(0) },
        { path: 'd/ä', content: Uint8Array.of(1, 2, 3) },
        { kind: 'symlink', path: 'l', target: 'd/ä' }
      ])
    })
  }

  it('are refused if the stream ends early', async () => {
    await assert.rejects(read(8, bytes.byteLength - 1), /ends 1 bytes early/)
  })
})
