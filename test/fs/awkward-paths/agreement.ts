import { isWithin } from '../../../src/path.ts'
import { outcome } from './calls.ts'
import { differences, isEndless } from './differences.ts'
import { linesOf, openTwins } from './systems.ts'
import type { Call } from './calls.ts'
import type { Difference } from './differences.ts'
import type { Twins } from './systems.ts'

/** How many calls were compared, and how many of each difference there were. */
export interface Tally {
  calls: number
  succeeded: number
  readonly met: Map<Difference, number>
}

/**
 * Makes the same calls in turn on the host and in a dagfs. Returns what differs and is not meant to: in what a call returned
 * or threw, or in the tree at the end. A difference that is meant ends the sequence where it left another tree.
 */
export async function disagreement (calls: readonly Call[], tally: Tally): Promise<string | undefined> {
  const twins = await openTwins()

  try {
    for (const call of calls) {
      await checkPlaces(twins, call)
      const own = await outcome(twins.own, twins.base, call)
      const host = isEndless(call, own) ? own : await outcome(twins.host, twins.base, call)
      const [byHost, byOwn] = [JSON.stringify(host), JSON.stringify(own)]
      const known = differences.find(({ holds }) => holds({ call, host, own }))
      tally.calls++
      tally.succeeded += 'value' in host ? 1 : 0

      if (known !== undefined) {
        const differs = await differenceOfTrees(twins) !== undefined
        tally.met.set(known, (tally.met.get(known) ?? 0) + (differs || byHost !== byOwn ? 1 : 0))

        if (differs) {
          return
        }
      } else if (byHost !== byOwn) {
        return `${JSON.stringify(call)}\nNode.js: ${byHost}\ndagfs: ${byOwn}`
      }
    }

    return await differenceOfTrees(twins)
  } finally {
    await twins.close()
  }
}

/** Makes sure that no call reaches what is not of the test: what paths begin with is followed in the dagfs first. */
async function checkPlaces ({ top, base, own }: Twins, { step, paths }: Call): Promise<void> {
  if (step === 'symlink' && paths[0].startsWith('/')) {
    throw new Error('a link must not lead to another part of the host')
  }

  for (const path of step === 'symlink' ? paths.slice(1) : paths) {
    for (const [i] of path.split('/').entries()) {
      const place = await own.realpath([base, ...path.split('/').slice(0, i + 1)].join('/')).catch(() => top)

      if (!isWithin(place, top)) {
        throw new Error(`a path leads out of the directory of the test: ${place}`)
      }
    }
  }
}

async function differenceOfTrees ({ base, host, own }: Twins): Promise<string | undefined> {
  const [byHost, byOwn] = [await linesOf(host, base), await linesOf(own, base)]
  const differing = [...byHost.filter(line => !byOwn.includes(line)).map(line => `Node.js: ${line}`), ...byOwn.filter(line => !byHost.includes(line)).map(line => `dagfs: ${line}`)]

  return differing.length === 0 ? undefined : ['the trees differ', ...differing].join('\n')
}
