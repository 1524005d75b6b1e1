import { cp } from 'node:fs/promises'
import { inTemporary } from '../../pack/in-temporary.ts'
import { countOperations, prepareInMemory, runUntilFault, workloadNames, workloads } from '../../pack/simulated.ts'
import { spread } from '../spread.ts'
import type { Part } from '../part.ts'

// states of the disk that are made of one power cut
const statesPerCut = 8

export const power: Part = {
  claim: 'a pack store keeps every acknowledged root when unsynced writes are dropped, reordered or torn',
  unit: 'states of the disk',
  full: 100_000,
  daily: 160,

  async open () {
    const prepared = await prepareInMemory()
    const operations = await countOperations(prepared)

    return {
      async run ({ number, next }) {
        const name = workloadNames[number % workloadNames.length]
        const at = spread(Math.floor(number / workloadNames.length), operations[name])

        await inTemporary(async directory => {
          const files = prepared[name].movedTo('/', directory)
          const promised = await runUntilFault(name, files, directory, { at, isForGood: true, code: 'kill' })

          for (let state = 0; state < statesPerCut; state++) {
            await inTemporary(async other => {
              // SQLite answers for what the index is after a power cut: as it was, or gone
              if (state % 2 > 0) {
                await cp(directory, other, { recursive: true })
              }

              const left = state < 2 ? files.afterKill() : files.afterPowerCut(next)
              await workloads[name].check(left.movedTo(directory, other), other, promised)
            })
          }
        })

        return { units: statesPerCut }
      },
      close: async () => {}
    }
  }
}
