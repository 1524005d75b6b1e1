import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADD_DIR } from '../src/cases/add-dir/case.ts'
import { compareCids } from '../src/cases/add-dir/cid-equality.ts'
import { lacksNothing } from '../src/cases/add-dir/run-corpus.ts'
import { judgeTargets } from '../src/cases/add-dir/targets.ts'
import { judge } from '../src/cases/add-dir/verdict.ts'
import { contenderOf } from '../src/contenders/index.ts'
import { readCommitted } from '../src/report/committed.ts'
import { measuredRow } from './rows.ts'
import type { LeftOut } from '../src/cases/add-dir/cid-equality.ts'
import type { KuboAgreement } from '../src/cases/add-dir/kubo-agreement.ts'
import type { Row } from '../src/cases/add-dir/row.ts'
import type { Verdict } from '../src/cases/add-dir/verdict.ts'
import type { ToolName } from '../src/contenders/index.ts'
import type { FoundTool } from '../src/tools/find-tools.ts'

const A = measuredRow({ contender: 'helia-mem', cid: 'bafyA' })
const ALSO_A = measuredRow({ contender: 'kubo', cid: 'bafyA' })
const B = measuredRow({ contender: 'ipfs', cid: 'bafyB' })
const MISSING: Row = { ...A, contender: 'kubo', status: 'unavailable', cid: null, reason: 'there is no Kubo' }
const LEFT_OUT: LeftOut = { corpus: 'src', contender: 'ipfs', reason: 'it never shards' }
const AGREES: KuboAgreement = { corpus: 'src', blocks: 3, imported: 3, reencodedEqual: true }

function judged (rows: readonly Row[], { leftOut = [], optional = [], kuboAgreement = [], agreementFault }: { leftOut?: LeftOut[], optional?: string[], kuboAgreement?: KuboAgreement[], agreementFault?: string } = {}): Verdict {
  return judge({ rows, cidEquality: compareCids(rows, leftOut), kuboAgreement }, { leftOut, optional, agreementFault })
}

describe('the equality of CIDs', () => {
  it('holds if all of a group give the same', () => {
    assert.deepEqual(compareCids([A, ALSO_A], []), [{ corpus: 'src', group: 'unixfs-v1-2025', equal: true, cid: 'bafyA', contenders: ['helia-mem', 'kubo'] }])
  })

  it('fails if one differs', () => {
    assert.deepEqual(compareCids([A, ALSO_A, B], []), [{ corpus: 'src', group: 'unixfs-v1-2025', equal: false, cid: null, contenders: ['helia-mem', 'kubo', 'ipfs'] }])
  })

  it('fails if one gives two CIDs', () => {
    assert.equal(compareCids([A, { ...A, phase: 'warm', cid: 'bafyB' }], [])[0].equal, false)
  })

  it('is checked only within a group and corpus', () => {
    const rows = [A, { ...B, cidGroup: 'dag-cbor' as const }, { ...B, corpus: 'dist' }]

    assert.deepEqual(compareCids(rows, []).map(({ equal }) => equal), [true, true, true])
  })

  it('ignores excluded contenders, in that corpus alone', () => {
    const equality = compareCids([A, B, { ...A, corpus: 'dist' }, { ...B, corpus: 'dist' }], [LEFT_OUT])

    assert.deepEqual(equality.map(({ corpus, equal, contenders }) => ({ corpus, equal, contenders })), [
      { corpus: 'src', equal: true, contenders: ['helia-mem'] },
      { corpus: 'dist', equal: false, contenders: ['helia-mem', 'ipfs'] }
    ])
  })
})

describe('the verdict', () => {
  it('passes if everything holds', () => {
    assert.equal(judged([A, ALSO_A], { kuboAgreement: [AGREES] }).passed, true)
  })

  it('fails for a differing CID, and says who gave what', () => {
    const { passed, lines } = judged([A, B])

    assert.equal(passed, false)
    assert.ok(lines.includes('FAILED  src: the unixfs-v1-2025 CIDs differ: helia-mem gave bafyA, ipfs gave bafyB.'))
  })

  it('names excluded contenders with reasons', () => {
    const { passed, lines } = judged([A, B], { leftOut: [LEFT_OUT] })

    assert.equal(passed, true)
    assert.ok(lines.includes('src: ipfs is left out of the equality: it never shards.'))
  })

  it('fails for a missing contender', () => {
    assert.equal(judged([A, MISSING]).passed, false)
  })

  it('passes without an optional contender', () => {
    assert.equal(judged([A, MISSING], { optional: ['kubo'] }).passed, true)
  })

  it('passes if a contender cannot carry the corpus', () => {
    const reason = 'the corpus has symbolic links'

    assert.equal(judged([A, { ...MISSING, reason }], { leftOut: [{ ...LEFT_OUT, contender: 'kubo', reason }] }).passed, true)
  })

  it('fails for a missing contender even if its CID would be excluded', () => {
    assert.equal(judged([A, MISSING], { leftOut: [{ ...LEFT_OUT, contender: 'kubo' }] }).passed, false)
  })

  it('fails if a contender failed, optional or not', () => {
    assert.equal(judged([A, { ...MISSING, status: 'failed' }], { optional: ['kubo'] }).passed, false)
  })

  for (const [fault, agreement] of [
    ['counts other blocks', { ...AGREES, imported: 2 }],
    ['changes a CID', { ...AGREES, reencodedEqual: false }]
  ] as const) {
    it(`fails if Kubo ${fault}`, () => {
      assert.equal(judged([A], { kuboAgreement: [agreement] }).passed, false)
    })
  }

  it('fails if Kubo could not be asked', () => {
    assert.equal(judged([A], { agreementFault: 'it is gone' }).passed, false)
  })
})

describe('a kept run', () => {
  const found = new Map<ToolName, FoundTool>([['kubo', { path: '/ipfs', foundBy: 'PATH' }]])
  const lacks = async (rows: readonly Row[], leftOut: readonly LeftOut[], tools = found): Promise<boolean> => !await lacksNothing({ rows, leftOut }, [contenderOf('kubo')], async () => tools)

  it('is incomplete if a missing contender can run now', async () => {
    assert.equal(await lacks([A, MISSING], []), true)
    assert.equal(await lacks([A, MISSING], [{ ...LEFT_OUT, contender: 'kubo' }]), true)
  })

  it('is complete if a contender still cannot run or carry the corpus', async () => {
    assert.equal(await lacks([A, MISSING], [], new Map([['kubo', { missing: 'there is no Kubo' }]])), false)
    assert.equal(await lacks([A, MISSING], [{ ...LEFT_OUT, contender: 'kubo', reason: 'there is no Kubo' }]), false)
  })
})

describe('the targets of cold imports', () => {
  const large = { corpus: 'node_modules', files: 20_000, cid: null } as const
  const rows = (corpus: string): Row[] => [
    measuredRow({ ...large, corpus, contender: 'dagfs-pack', rawMs: [10, 10, 9], firstRssBytes: 299e6, maxRssBytes: 301e6 }),
    measuredRow({ ...large, corpus, contender: 'floor', rawMs: [8, 8, 2] }),
    measuredRow({ ...large, corpus, contender: 'kubo-direct', rawMs: [39] }),
    measuredRow({ ...large, corpus, contender: 'helia-fs', rawMs: [100] })
  ]

  it('use medians of shared rounds of measured contenders', () => {
    assert.deepEqual(judgeTargets(rows('node_modules')).map(({ what, value, kept }) => [what.replace('node_modules: ', ''), value, kept]), [
      ['time of dagfs-pack, to that of the floor', 1.25, true],
      ['dagfs-pack, times as fast as kubo-direct', 3.9, false],
      ['dagfs-pack, times as fast as helia-fs', 10, false],
      ['dagfs-pack, resident memory of one import', 299, true],
      ['dagfs-pack, resident memory after 3 imports', 301, false]
    ])
  })

  it('are lower without files of equal content, compared with helia-fs alone', () => {
    const twin = rows('node_modules (without duplicates)').map(row => ({ ...row, files: 11_360 }))
    const judged = judgeTargets([...rows('node_modules'), ...twin], ['node_modules (without duplicates)'])

    assert.deepEqual(judged.map(({ what, limit, value, kept }) => [what, limit, value, kept]), [
      ['node_modules (without duplicates): dagfs-pack, times as fast as helia-fs', 5, 10, true]
    ])
  })

  it('exclude a small corpus, even without files of equal content', () => {
    const [small, twin] = [rows('src'), rows('src (without duplicates)')].map(of => of.map(row => ({ ...row, files: 19_999 })))

    assert.deepEqual(judgeTargets([...small, ...twin]), [])
  })

  it('are shown on the page and in the table', async () => {
    const [report] = (await readCommitted()).filter(({ case: key, options }) => key === 'add-dir' && 'unique' in options && options.unique === true)
    const { sections, text } = ADD_DIR.show(report)
    const twin = sections.find(({ title }) => title.includes('(without duplicates)'))

    assert.match(twin?.tables[0].rows.join() ?? '', /^\S+ \(without duplicates\): dagfs-pack, times as fast as helia-fs,at least 5 x,/)
    assert.match(text, /\(without duplicates\): dagfs-pack, times as fast as helia-fs +\| +at least 5 x/)
  })

  it('apply to cold imports of 20,000 files and more', () => {
    assert.deepEqual(judgeTargets(rows('src').map(row => ({ ...row, files: 19_999 }))), [])
    assert.deepEqual(judgeTargets(rows('src').map(row => ({ ...row, phase: 'warm' }))), [])
  })
})
