import { inTemporary } from '../../pack/in-temporary.ts'
import { countOperations, prepareInMemory, runUntilFault, workloadNames, workloads } from '../../pack/simulated.ts'
import { spread } from '../spread.ts'
import { within } from '../within.ts'
import type { Fault } from '../../pack/faulty-files.ts'
import type { Part } from '../part.ts'

const maxMs = 5_000
const codes: ReadonlyArray<Fault['code']> = ['EIO', 'ENOSPC', 'EMFILE', 'EACCES', 'short']
const faults = codes.flatMap(code => [{ code, isForGood: false }, { code, isForGood: true }])

export const failures: Part = {
  claim: 'a pack store fails with a typed error, never hangs and stays intact when file operations fail',
  unit: 'failures',
  full: 20_000,
  daily: 160,

  async open () {
    const prepared = await prepareInMemory()
    const operations = await countOperations(prepared)

    return {
      async run ({ number, next }) {
        const name = workloadNames[number % workloadNames.length]
        const turn = Math.floor(number / workloadNames.length)
        const fault = { ...faults[turn % faults.length], at: spread(Math.floor(turn / faults.length), operations[name]) }

        return inTemporary(async directory => {
          const files = prepared[name].movedTo('/', directory)
          const start = performance.now()
          const promised = await within(maxMs, runUntilFault(name, files, directory, fault))
          const answeredMs = performance.now() - start

          if (next() < 0.5) {
            await workloads[name].check(files.afterKill(), directory, promised)
          } else {
            // the system goes on, and may take for written what the disk did not take
            await workloads[name].check(files, directory, promised)
            await inTemporary(async other => workloads[name].check(files.afterPowerCut(next).movedTo(directory, other), other, { ...promised, attempted: promised.attempted + 1 }))
          }

          return { worst: { 'until all was answered, ms': answeredMs } }
        })
      },
      close: async () => {}
    }
  }
}
