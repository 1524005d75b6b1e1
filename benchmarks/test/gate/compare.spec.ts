import assert from 'node:assert/strict'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, describe, it } from 'node:test'
import { generateTree } from '../../src/corpora/generate-tree.ts'
import { SeededRandom } from '../../src/corpora/keystream.ts'
import { buildOfCheckout } from '../../src/gate/builds.ts'
import { compareBuilds } from '../../src/gate/compare-builds.ts'
import { copyDriver } from '../../src/gate/driver.ts'
import { faultsOf } from '../../src/gate/faults.ts'
import { repositoryRoot } from '../../src/tools/repository.ts'
import { temporary } from '../temporary.ts'
import type { CompareContext, GateRowResult } from '../../src/gate/compare-builds.ts'
import type { PairOutcome } from '../../src/gate/measure-pair.ts'

const LOOK_UP = 'codec / directory of 1000 / look-up'
const ADD = 'add-dir / generated / dagfs-mem'
const ADD_FS = 'add-dir / generated / dagfs-fs'
const PUT = 'pack / 1000 blocks of 1000 bytes / put'
// so many pairs that a busy machine does not hide it
const quick = { found: 0.5, looks: [{ pairs: 1, doubt: 1, least: 0 }], judged: 12, mostJudged: 8, warmMs: 20, measuredMs: 20 }
const twice = { ...quick, looks: [{ pairs: 2, doubt: 0, least: 0 }] }
const once = { ...quick, looks: [{ pairs: 1, doubt: 0, least: 0 }] }

let context: CompareContext

before(async () => {
  const directory = await temporary()
  const corpora = { generated: join(directory, 'generated') }

  await generateTree(corpora.generated, { files: 20, bytes: 100_000, depth: 2, duplicates: 0, seed: 'dagfs/gate/test' })
  context = {
    driver: await copyDriver(join(directory, 'driver')),
    builds: { baseline: await buildOfCheckout(repositoryRoot, join(directory, 'baseline')), checkout: await buildOfCheckout(repositoryRoot, join(directory, 'checkout')) },
    corpora,
    directory,
    plan: once,
    known: [],
    random: new SeededRandom('dagfs/gate/test'),
    slowdowns: {},
    progress: () => {},
    signal: new AbortController().signal
  }
})

describe('comparison of two builds', () => {
  it('finds a slowdown of half, and its confidence', async () => {
    const rows = await compareBuilds([LOOK_UP], { ...context, plan: quick, slowdowns: { [LOOK_UP]: 0.5 } })

    assert.equal(rows[0].status, 'slower', JSON.stringify(rows[0].compared))
    assert.match(faultsIn(rows).join('\n'), /^codec \/ directory of 1000 \/ look-up: 1\.[3-7]\d* of the baseline's (processor time|time on the clock), at least [\d.]+ with a confidence of 99\.9 % over all rows measured again; without a difference, p = 0\.0*[1-9]\d*$/m)
  })

  it('finds no fault in equal code with equal CIDs', async () => {
    const rows = await compareBuilds([ADD, PUT], context)

    assert.deepEqual(rows.map(({ pairs, compared }) => [pairs, compared.length]), [[1, 2], [1, 2]])
    assert.match(rows[0].answer ?? '', /^bafy/)
    assert.deepEqual(faultsIn(rows), [])
  })

  it('opens trees by root to read and overwrite what headers does', async () => {
    const rows = await compareBuilds(['headers / cat-subdir / dagfs-mem', 'headers / write-subdir / dagfs-mem'], context)

    assert.deepEqual(rows.map(({ pairs, compared }) => [pairs, compared.length]), [[1, 2], [1, 2]])
    assert.match(rows[0].answer ?? '', /^10240 bytes of bafy\w+$/)
    assert.match(rows[1].answer ?? '', /^bafy\w+$/)
  })

  it('measures with the given driver, whatever is compiled meanwhile', async () => {
    const driver = await copyDriver(join(context.directory, 'another-driver'))
    const row = join(dirname(driver), 'rows/codec.js')

    await writeFile(row, (await readFile(row, 'utf8')).replace('LOOKED_UP = 100', 'LOOKED_UP = 50'))

    const rows = await compareBuilds([LOOK_UP], { ...context, driver })

    assert.equal(rows[0].answer, '50 entries')
  })

  it('finds differing CIDs, in the build that gives them', async () => {
    const checkout = await changedBuild('differing', 'file/layout.js', 'inlineBytes: 2048', 'inlineBytes: 0')
    const rows = await compareBuilds([ADD], { ...context, builds: { ...context.builds, checkout } })

    assert.equal(rows[0].status, 'differs')
    assert.match(faultsIn(rows)[0], /generated \/ dagfs-mem: gives bafy\w+, and bafy\w+ in the baseline/)
  })

  it('reports a row missing in the baseline as new, and compares the others', async () => {
    const baseline = await buildOfCheckout(repositoryRoot, join(context.directory, 'older'))

    await rm(join(baseline, 'dist/src/pack'), { recursive: true })

    const rows = await compareBuilds([PUT, LOOK_UP], { ...context, plan: twice, builds: { ...context.builds, baseline } })

    assert.deepEqual(rows.map(({ status, pairs }) => [status === 'new', pairs]), [[true, 0], [false, 2]])
    assert.match(rows[0].reason ?? '', /^baseline: .*dist\/src\/pack/)
    assert.deepEqual(faultsIn(rows), [])
    assert.match(faultsIn(rows.slice(0, 1)).join(), /runs none of the rows/)
  })

  it('treats a row as new only after the baseline failed twice', async () => {
    const failing = { side: 'baseline', failure: 'no space left' } as const
    const measured = { times: { baseline: { cpu: [1], wall: [1] }, checkout: { cpu: [1], wall: [1] } }, answers: { baseline: 'a', checkout: 'a' } }
    const compare = async (...outcomes: PairOutcome[]): Promise<string> => {
      const [{ status }] = await compareBuilds([PUT], { ...context, plan: { ...quick, looks: [{ pairs: outcomes.length, doubt: 0, least: 0 }] } }, async () => new Map([[PUT, outcomes.shift() ?? measured]]))

      return status
    }

    assert.equal(await compare(failing), 'failed')
    assert.equal(await compare(failing, failing), 'new')
    assert.equal(await compare(failing, measured), 'same')
    assert.equal(await compare(measured, failing), 'failed')
    assert.equal(await compare({ ...failing, side: 'checkout' }), 'failed')
  })

  it('reports a fault if the baseline no longer runs a listed row', async () => {
    const failing = { side: 'baseline', failure: 'it is not a function' } as const
    const rows = await compareBuilds([PUT], { ...context, plan: twice, known: [PUT] }, async () => new Map([[PUT, failing]]))

    assert.deepEqual(faultsIn(rows), [`${PUT}: baseline: it is not a function`])
  })

  it('reports a fault for a vanished row and for an unlisted one', async () => {
    const rows = await compareBuilds([LOOK_UP], context)

    assert.deepEqual(faultsIn(rows, [LOOK_UP, 'codec / gone']), ['codec / gone: there is no such row any more, and benchmarks/gate/baseline.json lists it'])
    assert.deepEqual(faultsIn(rows, []), [`${LOOK_UP}: the baseline runs it, and benchmarks/gate/baseline.json does not list it`])
  })

  it('reports a fault for a row that neither build has', async () => {
    const broken = await buildOfCheckout(repositoryRoot, join(context.directory, 'both-broken'))

    await rm(join(broken, 'dist/src/pack'), { recursive: true })

    const rows = await compareBuilds([PUT], { ...context, builds: { baseline: broken, checkout: broken } })

    assert.equal(rows[0].status, 'failed')
  })

  it('reports a fault for a row missing in the checkout', async () => {
    const checkout = await buildOfCheckout(repositoryRoot, join(context.directory, 'broken'))

    await rm(join(checkout, 'dist/src/pack'), { recursive: true })

    const rows = await compareBuilds([PUT], { ...context, builds: { ...context.builds, checkout } })

    assert.equal(rows[0].status, 'failed')
    assert.match(faultsIn(rows)[0], /checkout: .*dist\/src\/pack/)
  })

  it('describes a slower row with the test\'s result and confidence limit', async () => {
    const [row] = await compareBuilds([LOOK_UP], context)
    const compared = [
      { measure: 'cpu', ratio: 1.3, p: 0.0003, atLeast: 1.26 },
      // sure, and too little to fail by
      { measure: 'wall', ratio: 1.2, p: 0.0003, atLeast: 1.19 }
    ] as const

    assert.deepEqual(faultsIn([{ ...row, status: 'slower', compared }]), [`${LOOK_UP}: 1.3 of the baseline's processor time, at least 1.26 with a confidence of 99.9 % over all rows measured again; without a difference, p = 0.0003`])
  })

  it('finds differing roots of contenders', async () => {
    const [row] = await compareBuilds([ADD], context)

    assert.match(faultsIn([row, { ...row, row: ADD_FS, answer: 'bafyother' }])[0], /gives different roots, dagfs-mem bafy\w+, dagfs-fs bafyother/)
  })
})

function faultsIn (rows: readonly GateRowResult[], listed: readonly string[] = [ADD, ADD_FS, PUT, LOOK_UP]): string[] {
  return faultsOf({ plan: once, baseline: { commit: '', reason: '', rows: listed }, rows, peers: [] })
}

async function changedBuild (name: string, module: string, from: string, to: string): Promise<string> {
  const build = join(context.directory, name)

  await mkdir(build)
  await cp(context.builds.checkout, build, { recursive: true, verbatimSymlinks: true })

  const file = join(build, 'dist/src', module)
  const text = await readFile(file, 'utf8')

  assert.ok(text.includes(from))
  await writeFile(file, text.replace(from, to))

  return build
}
