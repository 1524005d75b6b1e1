import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from 'dagfs'
import { editorOf } from '../src/cases/edits/editors/index.ts'
import { readOptions } from '../src/cases/edits/index.ts'
import { judgeTargets } from '../src/cases/edits/targets.ts'
import { workloadOf } from '../src/cases/edits/workloads/index.ts'
import { verifiedRound } from '../src/cases/edits/workloads/verified-round.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { OpenEditor } from '../src/cases/edits/editors/index.ts'
import type { EditRow, EditsReport } from '../src/cases/edits/index.ts'
import type { DagFs } from 'dagfs'

const ITERATIONS = 2

describe('a run of edits with all contenders', () => {
  let report: EditsReport
  let stdout: string
  let exitCode: number | undefined

  before(async () => {
    const json = join(await temporary(), 'report.json')
    const result = await startCli('index', [
      'edits', '--writes', '30', '--reads', '20', '--fewer', '40', '--more', '3000', '--file-bytes', '5000000',
      '--tree-files', '3000', '--differing', '10', '--json', json
    ], { ITERATIONS: String(ITERATIONS), MIN_TIME: '0' })

    stdout = String(result.stdout)
    exitCode = result.exitCode
    report = JSON.parse(await readFile(json, 'utf8'))
  })

  it('has a row for every contender of every workload', () => {
    assert.deepEqual(report.rows.map(({ phase, contender }) => [phase, contender]), [
      ...['write', 'read'].flatMap(phase => ['dagfs-mem', 'helia-mfs', 'wnfs'].map(contender => [phase, contender])),
      ...['fill-fewer', 'fill-more', 'insert-fewer', 'insert-more', 'patch', 'diff-flat', 'diff-nested'].map(phase => [phase, 'dagfs-mem'])
    ])
  })

  it('measured every row after verifying the stored data', () => {
    for (const row of report.rows) {
      assert.equal(row.status, 'ok', `${row.contender}, ${row.phase}: ${row.reason}`)
      assert.equal(row.case, 'edits')
      assert.equal(row.rawMs.length, ITERATIONS)
      assert.ok(row.rawMs.every(ms => ms > 0))
      assert.match(row.cid ?? '', /^ba/)
    }
  })

  it('names the versions that ran', () => {
    const versions = new Map(report.rows.map(({ contender, version }) => [contender, version]))

    assert.match(versions.get('dagfs-mem') ?? '', /^dagfs \d/)
    assert.equal(versions.get('helia-mfs'), '@helia/mfs 4.0.3')
    assert.equal(versions.get('wnfs'), 'wnfs 0.2.2')
  })

  it('counts one leaf and its spine for a patch', () => {
    const { counted } = rowOf('patch')

    assert.equal(counted?.leavesPut, 1)
    assert.equal(counted.blocksPut, 3)
  })

  it('judges the figures by every target, and prints the result', () => {
    assert.equal(report.targets.length, 9)
    assert.equal(stdout.match(/\| (kept|missed) +\|/g)?.length, 9)
    assert.equal(exitCode, report.targets.every(({ kept }) => kept) ? 0 : 1)
  })

  function rowOf (phase: string): EditRow {
    const row = report.rows.find(candidate => candidate.phase === phase)

    assert.ok(row != null)

    return row
  }
})

describe('a round of edits', () => {
  const sizes = { ...readOptions({}, {}), reads: 5, treeFiles: 20, differing: 3 }

  it('fails if later reads return other bytes, though the tree is equal', async () => {
    const workload = await workloadOf('read').open(await editorThatForgets(2), sizes)

    await verifiedRound(workload)
    await assert.rejects(verifiedRound(workload), /was stored with other bytes/)
  })

  for (const key of ['diff-flat', 'diff-nested']) {
    it(`of ${key} fails if a later diff has other changes`, async context => {
      const workload = await workloadOf(key).open(await editorOf('dagfs-mem').open(), sizes)

      await verifiedRound(workload)
      context.mock.getter(prototypeThatDiffs(), 'diff', () => async function * () { yield { path: '/other', kind: 'added' } })
      await assert.rejects(verifiedRound(workload), /3 files differ, and the diff tells of \/other added/)
    })
  }

  /** An editor whose trees are empty files once they were opened so often. */
  async function editorThatForgets (after: number): Promise<OpenEditor> {
    const editor = await editorOf('dagfs-mem').open()
    let opened = 0

    return {
      ...editor,
      async create () {
        const tree = await editor.create()

        return { ...tree, reopen: async () => ++opened < after ? tree.reopen() : { ...tree, read: async () => new Uint8Array() } }
      }
    }
  }

  function prototypeThatDiffs (): DagFs {
    let prototype = dagfs({ blockstore: new MemoryBlockstore() })

    while (!Object.hasOwn(prototype, 'diff')) {
      prototype = Object.getPrototypeOf(prototype)
    }

    return prototype
  }
})

describe('the targets of edits', () => {
  const options = readOptions({}, {})
  const row = { phase: 'write', contender: 'dagfs-mem', operations: 10, rawMs: [10], counted: null } as Partial<EditRow> as EditRow

  it('are judged by the time of one operation', () => {
    const targets = judgeTargets([row, { ...row, contender: 'helia-mfs', rawMs: [3_010] }, { ...row, contender: 'wnfs', operations: 20, rawMs: [99] }], options)

    assert.deepEqual(targets.map(({ value, kept }) => [value, kept]), [[301, true], [4.95, false]])
  })

  it('are omitted without measurements', () => {
    assert.deepEqual(judgeTargets([row, { ...row, contender: 'helia-mfs', rawMs: [] }], options), [])
  })
})

describe('options of edits', () => {
  for (const [what, flags] of [
    ['an unknown contender', { contenders: 'mfs' }],
    ['an unknown workload', { workloads: 'writes' }],
    ['no number', { writes: 'many' }],
    ['no iterations', { iterations: 0 }]
  ] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags, {}))
    })
  }
})
