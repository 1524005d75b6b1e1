import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { startContender } from '../../harness/contender-process.ts'
import { thenStopped } from '../../harness/stopping.ts'
import type { ProcessContext } from '../../harness/contender-process.ts'
import type { ExportedCar, Identity } from '../../harness/protocol.ts'

export interface Checked {
  readonly identity: Identity
  readonly cid: string | null
  /**
   * The stored DAG as a CAR, where it is dagfs' own
   */
  readonly car: (ExportedCar & { readonly file: string }) | undefined
}

/**
 * Has a contender add a corpus once, without a clock, and holds what it stored
 * against the source. Nothing is timed that did not pass this.
 */
export async function checkStored (key: string, directory: string, context: ProcessContext): Promise<Checked> {
  const process = await startContender(key, context)

  return thenStopped(process, async () => {
    const { cid } = await process.functions.fill(directory)

    await process.functions.verify(directory, cid)

    // every corpus has one
    const file = join(await mkdtemp(join(context.directory, 'car-')), `${key}.car`)
    const car = await process.functions.exportCar(cid, file)

    return { identity: process.identity, cid, car: car == null ? undefined : { ...car, file } }
  })
}
