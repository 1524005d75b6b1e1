import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { makeStore } from './make-store.ts'
import { measureLayers } from './measure-layers.ts'
import { judgeTargets } from './targets.ts'
import type { Stored } from './make-store.ts'
import type { LayersOptions } from './options.ts'
import type { LayerRow, LayersReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { Progress } from '../../tools/progress.ts'

export type { LayersReport } from './report.ts'

/**
 * What is measured with one size of reads, and of what
 */
interface Scanned {
  readonly stored: Stored
  readonly rows: readonly LayerRow[]
}

/**
 * Scans the same stored records through each layer between the file and what is
 * in them, at many sizes of reads.
 */
export async function runLayers (options: LayersOptions, run: RunContext): Promise<LayersReport> {
  const { signal } = run

  return withTemporaryDirectory(async directory => {
    const store = join(directory, 'store')
    const others = join(directory, 'others')
    const written = new Set<string>()
    let making: Promise<Stored> | undefined
    // by the first part that needs it: an interrupt meanwhile leaves what is measured already
    const make = async (progress: Progress): Promise<Stored> => {
      making ??= makeStore(store, options, progress, signal)

      return making
    }

    await mkdir(others)

    const { results, interrupted } = await runParts<Scanned>(options.readSizes.map(readBytes => ({
      key: `reads of ${readBytes} bytes`,
      // the smaller the reads are, the longer all of it takes
      weight: 1 + 2 ** 14 / readBytes,
      async measure (progress) {
        const stored = await make(progress)

        return { stored, rows: await measureLayers({ store, others, readBytes }, written, { options, stored, progress, signal }) }
      }
    })), run)
    const rows = results.flatMap(scanned => scanned.rows)

    return {
      schema: 1,
      case: 'layers',
      machine: await describeMachine(directory),
      options,
      // the same records from the same seed, whichever run made them
      stored: results.at(0)?.stored ?? null,
      rows,
      targets: judgeTargets(rows, options),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}
