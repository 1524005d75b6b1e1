import assert from 'node:assert/strict'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answersOf, sayAnswers } from '../../src/gate/answers.ts'
import { buildOfCheckout, requireSameCode } from '../../src/gate/builds.ts'
import { sayStudy, updateStudy } from '../../src/gate/committed-study.ts'
import { hashGate } from '../../src/gate/hash-gate.ts'
import { committedOf, comparisonsOf, studiedGate } from '../../src/gate/study.ts'
import { repositoryRoot } from '../../src/tools/repository.ts'
import { temporary } from '../temporary.ts'
import type { Comparison } from '../../src/gate/study.ts'
import type { Machine } from '../../src/harness/machine.ts'

const machine: Machine = { platform: 'linux', release: '6', arch: 'x64', cpu: 'A CPU', cores: 2, memoryBytes: 2 ** 30, node: 'v24.0.0', storeFilesystem: '0xef53' }

describe('the study of the gate', () => {
  it('is shared by processes without omitted or repeated comparisons', () => {
    const keys = (from: number, comparisons: number): string[] => comparisonsOf({ questions: ['same', 'five'], from, comparisons }).map(({ key }) => key)

    assert.deepEqual(keys(0, 2), ['same/0', 'five/0', 'same/1', 'five/1'])
    assert.deepEqual([...keys(0, 3), ...keys(3, 5)], keys(0, 5))
  })

  it('counts false alarms without a slowdown, and detected rows with one', () => {
    const made = [
      comparison('same', ['same', 'unclear']),
      comparison('same', ['slower', 'differs']),
      comparison('ten', ['slower', 'slower', 'unclear'])
    ]

    const [alarms, found] = answersOf(made)

    assert.deepEqual([alarms.comparisons, alarms.alarms.count, alarms.alarms.of, alarms.unclear], [2, 1, 2, 1])
    assert.deepEqual([found.comparisons, found.alarms.count, found.alarms.of, found.unclear], [1, 2, 3, 1])
  })

  it('lists commits and machines of each result once', () => {
    const made = [
      { ...comparison('same', ['same']), commit: 'a' },
      { ...comparison('same', ['same']), commit: 'a' },
      { ...comparison('same', ['same']), commit: 'b', machine: { ...machine, cores: 8 } }
    ]
    const [{ commits, machines }] = answersOf(made)

    assert.deepEqual(commits, ['a', 'b'])
    assert.equal(machines.length, 2)
    assert.match(sayAnswers(made)[0], /^ci, the same code: false alarms in 0 % \(0 of 3, .*On 2 cores of A CPU.*On 8 cores/)
  })

  it('is in the README as committed (npm run readme -w benchmarks)', async () => {
    const text = await readFile(new URL('../../../src/gate/README.md', import.meta.url), 'utf8')

    assert.equal(text, await updateStudy(text))
  })

  it('is reported as missing before any comparison', async () => {
    assert.match(await sayStudy(`${JSON.stringify(await studiedGate())}\n`), /^No comparison was made yet/)
  })

  it('is refused if it belongs to another gate', async () => {
    await assert.rejects(sayStudy(`${JSON.stringify({ ...await studiedGate(), code: 'another' })}\n`), /decides otherwise/)
  })
})

describe('the reference of the study', () => {
  it('is the checkout\'s commit, unless sources have changes or no repository', () => {
    assert.equal(committedOf('0123456789ab'), '0123456789ab')
    assert.equal(committedOf('0123456789ab+'), undefined)
    assert.equal(committedOf(null), undefined)
  })

  it('must have equal code', async () => {
    const directory = await temporary()
    const [one, other] = await Promise.all(['one', 'other'].map(async name => buildOfCheckout(repositoryRoot, join(directory, name))))

    await requireSameCode(one, other)
    await writeFile(join(other, 'dist/src/index.js'), '// another one')
    await assert.rejects(requireSameCode(one, other), /dist\/src\/index\.js is not what its source compiles to/)
  })
})

describe('the hash of the gate', () => {
  it('covers the code that measures and decides, without comments', async () => {
    const hash = await hashGate()

    assert.equal(await hashChanged('judge.js', '', '// what this does\n'), hash)
    assert.equal(await hashChanged('faults.js', 'flatMap', 'map'), hash)

    for (const [module, from, to] of [
      ['plan.js', 'FALSE_ALARMS = 0.001', 'FALSE_ALARMS = 0.002'],
      ['judge.js', 'found / 2', 'found / 3'],
      ['measure-pair.js', 'SLICE_MS = 15', 'SLICE_MS = 16'],
      ['measure-pair.js', '--single-threaded', '--single-threaded-gc'],
      ['with-builds.js', 'files: 80', 'files: 81'],
      ['worker.js', 'spent < ms', 'spent <= ms'],
      ['rows/headers.js', '10 * 1024', '11 * 1024']
    ]) {
      assert.notEqual(await hashChanged(module, from, to), hash, `${module}: ${to}`)
    }
  })
})

async function hashChanged (module: string, from: string, to: string): Promise<string> {
  const directory = join(await temporary(), 'gate')
  const file = join(directory, module)

  await cp(fileURLToPath(new URL('../../src/gate', import.meta.url)), directory, { recursive: true })

  const text = await readFile(file, 'utf8')

  assert.ok(text.includes(from), from)
  await writeFile(file, text.replace(from, to))

  return hashGate(directory)
}

function comparison (question: string, statuses: ReadonlyArray<Comparison['rows'][number]['status']>): Comparison {
  return { question, seed: '', seconds: 1, load: 1, machine, commit: null, rows: statuses.map((status, index) => ({ row: `row ${index}`, status, pairs: 3, compared: [], reason: null })) }
}
