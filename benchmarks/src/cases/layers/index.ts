import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { makeStore } from './make-store.ts'
import { measureLayers } from './measure-layers.ts'
import { judgeTargets } from './targets.ts'
import type { LayersOptions } from './options.ts'
import type { LayerRow, LayersReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'

export type { LayersReport } from './report.ts'

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
    // a run that is resumed has to have it again: a part's result alone is kept
    const stored = await makeStore(store, options, run.progress, signal)

    await mkdir(others)

    const { results, interrupted } = await runParts<LayerRow[]>(options.readSizes.map(readBytes => ({
      key: `reads of ${readBytes} bytes`,
      // the smaller the reads are, the longer all of it takes
      weight: 1 + 2 ** 14 / readBytes,
      measure: async progress => measureLayers({ store, others, readBytes }, written, { options, stored, progress, signal })
    })), run)
    const rows = results.flat()

    return {
      schema: 1,
      case: 'layers',
      machine: await describeMachine(directory),
      options,
      stored,
      rows,
      targets: judgeTargets(rows, options),
      ...interrupted == null ? {} : { interrupted }
    }
  })
}
