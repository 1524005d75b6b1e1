import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answer } from '../../src/gate/study-command.ts'
import { comparisonsOf, questions } from '../../src/gate/study.ts'
import type { Comparison } from '../../src/gate/study.ts'

describe('the study of the gate', () => {
  it('is shared by processes without a comparison left out or made twice', () => {
    const keys = (from: number, comparisons: number): string[] => comparisonsOf({ questions: ['same', 'five'], from, comparisons }).map(({ key }) => key)

    assert.deepEqual(keys(0, 2), ['same/0', 'five/0', 'same/1', 'five/1'])
    assert.deepEqual([...keys(0, 3), ...keys(3, 5)], keys(0, 5))
  })

  it('counts runs with an alarm where nothing was slowed down, and rows that were found where they were', () => {
    const [same, ten] = questions
    const made = [
      comparison('same', ['same', 'unclear']),
      comparison('same', ['slower', 'differs']),
      comparison('ten', ['slower', 'slower', 'unclear'])
    ]

    const alarms = answer(same, made)
    const found = answer(ten, made)

    assert.deepEqual([alarms.comparisons, alarms.alarms.count, alarms.alarms.of, alarms.unclear], [2, 1, 2, 1])
    assert.deepEqual([found.comparisons, found.alarms.count, found.alarms.of, found.unclear], [1, 2, 3, 1])
  })
})

function comparison (question: string, statuses: ReadonlyArray<Comparison['rows'][number]['status']>): Comparison {
  return { question, seed: '', seconds: 1, load: 1, rows: statuses.map((status, index) => ({ row: `row ${index}`, status, pairs: 3, compared: [], reason: null })) }
}
