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
  claim: 'a pack store answers with a typed error, does not hang and is whole afterwards when any file operation fails, once and for good',
  unit: 'failures',
  full: 20_000,
  daily: 160,

  async open () {
    const prepared = await prepareInMemory()
    const operations = await countOperations(prepared)

    return {
      async run ({ number }) {
        const name = workloadNames[number % workloadNames.length]
        const turn = Math.floor(number / workloadNames.length)
        const fault = { ...faults[turn % faults.length], at: spread(Math.floor(turn / faults.length), operations[name]) }

        return inTemporary(async directory => {
          const files = prepared[name].movedTo('/', directory)
          const start = performance.now()
          const promised = await within(maxMs, runUntilFault(name, files, directory, fault))
          const answeredMs = performance.now() - start
          await workloads[name].check(files.afterKill(), directory, promised)

          return { worst: { 'until all was answered, ms': answeredMs } }
        })
      },
      close: async () => {}
    }
  }
}
