import { Budget } from '../../budget.ts'
import { checkOptions, integerOption } from '../../options.ts'
import { snapshotInfo } from './snapshot.ts'
import { walkHistory } from './walk.ts'
import type { LoggedSnapshot, LogOptions } from './types.ts'
import type { SnapshotSource } from './walk.ts'
import type { CID } from 'multiformats/cid'

export function checkLogOptions (options: LogOptions): void {
  checkOptions(options, ['limit', 'limits', 'signal'])
  integerOption('limit', options.limit)
}

/**
 * The history behind a snapshot; none where there is no snapshot.
 */
export async function * logOf (source: SnapshotSource, head: CID | undefined, { limit = Number.MAX_SAFE_INTEGER, limits, signal }: LogOptions): AsyncGenerator<LoggedSnapshot> {
  let left = limit

  if (head === undefined || left === 0) {
    return
  }

  for await (const { cid, snapshot, missing } of walkHistory(source, [head], { signal, budget: Budget.of(limits, {}, '/') })) {
    yield { ...snapshotInfo(cid, snapshot), missing }
    left--

    if (left === 0) {
      return
    }
  }
}
