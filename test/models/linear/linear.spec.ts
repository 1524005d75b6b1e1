import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { parameters } from '../../codec/runs.ts'
import { linearizability } from './history.ts'
import { isLinearizable } from './linearize.ts'
import { empty, step } from './model.ts'
import type { Event } from './linearize.ts'

describe('concurrent calls', () => {
  it('have the results of a sequential order, by path and by handle', async () => {
    await fc.assert(linearizability, parameters(2_000))
  })
})

describe('the search for a sequential order', () => {
  const [, state] = step(empty, { call: 'writeFile', path: '/a', text: 'start' })
  const append = { call: 'appendFile', path: '/a', text: 'X' } as const
  const write = { call: 'writeFile', path: '/a', text: 'new' } as const
  const done = { value: null }

  function read (value: string): Event {
    return { operation: { call: 'readFile', path: '/a' }, began: 8, ended: 9, result: { value } }
  }

  it('finds each order of concurrent calls', () => {
    const events: Event[] = [{ operation: append, began: 0, ended: 2, result: done }, { operation: write, began: 1, ended: 3, result: done }]

    expect(isLinearizable(state, [...events, read('new')])).to.equal(true)
    expect(isLinearizable(state, [...events, read('newX')])).to.equal(true)
    expect(isLinearizable(state, [...events, read('startX')])).to.equal(false)
  })

  it('places no call before one that had ended', () => {
    const events: Event[] = [{ operation: append, began: 0, ended: 1, result: done }, { operation: write, began: 2, ended: 3, result: done }]

    expect(isLinearizable(state, [...events, read('new')])).to.equal(true)
    expect(isLinearizable(state, [...events, read('newX')])).to.equal(false)
  })
})
