import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageVersion } from '../../contenders/package-version.ts'
import { keystream } from '../../corpora/keystream.ts'
import { describeMachine } from '../../harness/machine.ts'
import { timePhases } from '../../harness/phases.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { spreadOf } from '../../report/spread.ts'
import { FILE_NAME, phasesOf, verifyStored } from './phases.ts'
import { judgeTargets } from './targets.ts'
import type { LargeFileOptions } from './options.ts'
import type { LargeFileReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'

export type { LargeFileReport } from './report.ts'

const SEED = 'dagfs/large-file/1'

/**
 * Writes one large file into a pack store and reads it back, each beside the
 * least that any program has to do.
 */
export async function runLargeFile (options: LargeFileOptions, { progress, signal }: RunContext): Promise<LargeFileReport> {
  return withTemporaryDirectory(async directory => {
    const [source, scratch] = [join(directory, 'source'), join(directory, 'scratch')]

    progress(`making a file of ${options.bytes} bytes`)
    await Promise.all([mkdir(source), mkdir(scratch)])
    await writeFile(join(source, FILE_NAME), keystream(SEED, options.bytes), { signal })

    const init = { source, bytes: options.bytes, scratch }
    const { writing, reading } = await phasesOf(init)
    const samples = new Map([
      ...await timePhases(writing, options.iterations, { progress, signal }),
      ...await timePhases(reading, options.iterations, { progress, signal })
    ])

    if (!signal.aborted) {
      progress('comparing what was stored with the file')
      await verifyStored(init)
    }

    const rows = [...writing, ...reading].map(({ key, what, durable }) => {
      const rawMs = samples.get(key) ?? []

      return { case: 'large-file' as const, phase: key, what, samples: rawMs.length, rawMs, p50: rawMs.length === 0 ? null : spreadOf(rawMs).median, durable }
    })

    return {
      schema: 1,
      case: 'large-file',
      machine: await describeMachine(directory),
      options,
      version: await packageVersion('dagfs'),
      bytes: options.bytes,
      rows,
      targets: judgeTargets(rows),
      ...signal.aborted ? { interrupted: 'interrupted, rows may rest on fewer samples' } : {}
    }
  })
}
