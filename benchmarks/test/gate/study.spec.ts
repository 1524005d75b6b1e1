import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { answersOf, sayAnswers } from '../../src/gate/answers.ts'
import { sayStudy, updateStudy } from '../../src/gate/committed-study.ts'
import { comparisonsOf, studiedGate } from '../../src/gate/study.ts'
import type { Comparison } from '../../src/gate/study.ts'
import type { Machine } from '../../src/harness/machine.ts'

const machine: Machine = { platform: 'linux', release: '6', arch: 'x64', cpu: 'A CPU', cores: 2, memoryBytes: 2 ** 30, node: 'v24.0.0', storeFilesystem: '0xef53' }

describe('the study of the gate', () => {
  it('is shared by processes without a comparison left out or made twice', () => {
    const keys = (from: number, comparisons: number): string[] => comparisonsOf({ questions: ['same', 'five'], from, comparisons }).map(({ key }) => key)

    assert.deepEqual(keys(0, 2), ['same/0', 'five/0', 'same/1', 'five/1'])
    assert.deepEqual([...keys(0, 3), ...keys(3, 5)], keys(0, 5))
  })

  it('counts runs with an alarm where nothing was slowed down, and rows that were found where they were', () => {
    const made = [
      comparison('same', ['same', 'unclear']),
      comparison('same', ['slower', 'differs']),
      comparison('ten', ['slower', 'slower', 'unclear'])
    ]

    const [alarms, found] = answersOf(made)

    assert.deepEqual([alarms.comparisons, alarms.alarms.count, alarms.alarms.of, alarms.unclear], [2, 1, 2, 1])
    assert.deepEqual([found.comparisons, found.alarms.count, found.alarms.of, found.unclear], [1, 2, 3, 1])
  })

  it('says what each answer was found on, once', () => {
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

  it('stands in the README as it was committed; npm run readme -w benchmarks writes it', async () => {
    const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')

    assert.equal(text, await updateStudy(text))
  })

  it('is refused where it is of another gate', () => {
    assert.throws(() => sayStudy(`${JSON.stringify({ ...studiedGate(), rows: ['another'] })}\n`), /decides otherwise/)
  })
})

function comparison (question: string, statuses: ReadonlyArray<Comparison['rows'][number]['status']>): Comparison {
  return { question, seed: '', seconds: 1, load: 1, machine, commit: null, rows: statuses.map((status, index) => ({ row: `row ${index}`, status, pairs: 3, compared: [], reason: null })) }
}
