import { expect } from 'aegir/chai'
import { ReadWriteLock } from '../../src/blockstore/read-write-lock.ts'

describe('blockstore/lock', () => {
  it('admits any number of readers at once', async () => {
    const lock = new ReadWriteLock()
    await Promise.all([lock.enter(), lock.enter()])
    lock.leave()
    lock.leave()
  })

  it('waits for readers inside, and blocks new ones', async () => {
    const lock = new ReadWriteLock()
    const events: string[] = []
    await lock.enter()
    const alone = lock.alone(async () => { events.push('alone') })
    const other = lock.enter().then(() => events.push('other'))
    await Promise.resolve()
    events.push('leave')
    lock.leave()
    await Promise.all([alone, other])

    expect(events).to.deep.equal(['leave', 'alone', 'other'])
  })

  it('admits waiting readers before it closes again', async () => {
    const lock = new ReadWriteLock()
    const events: string[] = []
    const first = lock.alone(async () => { events.push('first') })
    const entering = lock.enter().then(() => {
      events.push('inside')
      lock.leave()
    })
    const second = first.then(async () => lock.alone(async () => { events.push('second') }))
    await Promise.all([entering, second])

    expect(events).to.deep.equal(['first', 'inside', 'second'])
  })

  it('opens again after the work fails', async () => {
    const lock = new ReadWriteLock()
    await expect(lock.alone(async () => { throw new Error('failed') })).to.eventually.be.rejectedWith('failed')
    await lock.enter()
  })

  it('does not admit an aborted reader', async () => {
    const lock = new ReadWriteLock()
    const abort = new AbortController()
    const entering = lock.alone(async () => {
      const waiting = lock.enter({ signal: abort.signal })
      abort.abort(new Error('stop'))
      await expect(waiting).to.eventually.be.rejected.with.nested.property('cause.message', 'stop')
    })
    await entering

    expect(await lock.alone(async () => 'alone')).to.equal('alone')
  })
})
