import { cp } from 'node:fs/promises'
import { expect } from 'aegir/chai'
import { random } from '../seed.ts'
import { FaultyFiles } from './faulty-files.ts'
import { check, withIndexDirectory, work } from './workload.ts'
import type { Fault } from './faulty-files.ts'
import type { Promised } from './workload.ts'

/** Runs the workload until its n-th operation fails, and answers whether there was one. */
async function runUntil (directory: string, files: FaultyFiles, fault: Fault, promised: Promised): Promise<boolean> {
  files.fault = fault

  try {
    await work(files, directory, promised)
  } catch (err) {
    expect(err).to.have.property('code').that.is.a('string')
  }

  files.fault = undefined

  return files.operations >= fault.at
}

// some of the operations, others from test to test; TORTURE=1 takes every one
const step = process.env.TORTURE === undefined ? 7 : 1

describe('the pack store, when a file operation fails', function () {
  this.timeout(300_000)

  for (const [i, [code, isForGood]] of ([['EIO', false], ['EIO', true], ['ENOSPC', false], ['ENOSPC', true], ['short', false], ['short', true], ['EMFILE', false]] as const).entries()) {
    it(`loses no acknowledged root: ${code}, ${isForGood ? 'for good' : 'once'}`, async () => {
      for (let at = 1 + i % step, goesOn = true; goesOn; at += step) {
        await withIndexDirectory(async directory => {
          const files = new FaultyFiles()
          const promised = { acknowledged: 0, attempted: 0 }
          goesOn = await runUntil(directory, files, { at, isForGood, code }, promised)
          await check(files.afterKill(), directory, promised)
        })
      }
    })
  }
})

describe('the pack store, when its process or the power goes', function () {
  this.timeout(300_000)

  it('loses no acknowledged root when it is killed at any operation', async () => {
    for (let at = 1, goesOn = true; goesOn; at += step) {
      await withIndexDirectory(async directory => {
        const files = new FaultyFiles()
        const promised = { acknowledged: 0, attempted: 0 }
        goesOn = await runUntil(directory, files, { at, isForGood: true, code: 'kill' }, promised)
        await check(files.afterKill(), directory, promised)
      })
    }
  })

  it('loses no acknowledged root when unsynced writes are dropped, reordered or torn', async () => {
    const next = random()

    for (let at = 1, goesOn = true; goesOn; at += step) {
      await withIndexDirectory(async directory => {
        const files = new FaultyFiles()
        const promised = { acknowledged: 0, attempted: 0 }
        goesOn = await runUntil(directory, files, { at, isForGood: true, code: 'kill' }, promised)

        for (let state = 0; state < 2; state++) {
          // what the index is after a power cut, SQLite answers for; one that is gone is the hardest
          await withIndexDirectory(async other => {
            if (state > 0) {
              await cp(directory, other, { recursive: true })
            }

            await check(files.afterPowerCut(next).movedTo(directory, other), other, promised)
          })
        }
      })
    }
  })
})
