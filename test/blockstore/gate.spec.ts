import { expect } from 'aegir/chai'
import { Gate } from '../../src/blockstore/gate.ts'

describe('blockstore/gate', () => {
  it('lets any number in at once', async () => {
    const gate = new Gate()
    await Promise.all([gate.enter(), gate.enter()])
    gate.leave()
    gate.leave()
  })

  it('waits for those inside, and keeps others out', async () => {
    const gate = new Gate()
    const events: string[] = []
    await gate.enter()
    const alone = gate.alone(async () => { events.push('alone') })
    const other = gate.enter().then(() => events.push('other'))
    await Promise.resolve()
    events.push('leave')
    gate.leave()
    await Promise.all([alone, other])

    expect(events).to.deep.equal(['leave', 'alone', 'other'])
  })

  it('lets those who wait in before it closes again', async () => {
    const gate = new Gate()
    const events: string[] = []
    const first = gate.alone(async () => { events.push('first') })
    const entering = gate.enter().then(() => {
      events.push('inside')
      gate.leave()
    })
    const second = first.then(async () => gate.alone(async () => { events.push('second') }))
    await Promise.all([entering, second])

    expect(events).to.deep.equal(['first', 'inside', 'second'])
  })

  it('opens again where the work fails', async () => {
    const gate = new Gate()
    await expect(gate.alone(async () => { throw new Error('failed') })).to.eventually.be.rejectedWith('failed')
    await gate.enter()
  })

  it('lets nobody in who has given up', async () => {
    const gate = new Gate()
    const abort = new AbortController()
    const entering = gate.alone(async () => {
      const waiting = gate.enter({ signal: abort.signal })
      abort.abort(new Error('stop'))
      await expect(waiting).to.eventually.be.rejectedWith('stop')
    })
    await entering

    expect(await gate.alone(async () => 'alone')).to.equal('alone')
  })
})
