import { expect } from 'aegir/chai'
import { Budget } from '../src/budget.ts'
import { LimitExceededError } from '../src/errors.ts'
import type { Limits } from '../src/budget.ts'

const units = ['entries', 'blocks', 'bytes'] as const

describe('budget', () => {
  for (const unit of units) {
    it(`allows exactly the limit of ${unit}, and fails at one more`, () => {
      const budget = Budget.of({ [unit]: 3 }, {}, '/a')
      budget.spend(unit, 2)
      budget.spend(unit, 1)

      expect(() => { budget.spend(unit, 1) }).to.throw(LimitExceededError).that.includes({ code: 'ERR_LIMIT_EXCEEDED', path: '/a', limit: 3, exceeded: unit })
    })
  }

  it('counts each unit separately', () => {
    const budget = Budget.of({ entries: 1, blocks: 1, bytes: 1 }, {}, '/')

    expect(() => { units.forEach(unit => { budget.spend(unit, 1) }) }).to.not.throw()
  })

  it('names the option to raise', () => {
    expect(() => { Budget.of({}, { entries: 0 }, '/').spend('entries', 1) }).to.throw('raise limits.entries')
  })

  it('uses the defaults', () => {
    const budget = Budget.of({ bytes: 5 }, { entries: 1, bytes: 1 }, '/')
    budget.spend('bytes', 5)

    expect(() => { budget.spend('entries', 2) }).to.throw(LimitExceededError)
  })

  it('has no limit if none is given, or with Infinity', () => {
    const budget = Budget.of({ entries: Number.POSITIVE_INFINITY }, { entries: 1 }, '/')

    expect(() => { units.forEach(unit => { budget.spend(unit, 2 ** 50) }) }).to.not.throw()
  })

  it('counts a held path once more for every 256 characters', () => {
    const budget = Budget.of({ entries: 2 }, {}, '/')
    budget.lengthen('x'.repeat(255))
    budget.lengthen('x'.repeat(512))

    expect(() => { budget.lengthen('x'.repeat(256)) }).to.throw(LimitExceededError)
  })

  for (const limits of [7, { entries: -1 }, { entries: 1.5 }, { entries: Number.NaN }, { entries: '1' }, { files: 1 }, null]) {
    it(`refuses ${JSON.stringify(limits)}`, () => {
      expect(() => Budget.of(limits as Limits, {}, '/')).to.throw().with.property('name', 'InvalidOptionError')
    })
  }
})
