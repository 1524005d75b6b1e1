import { median } from 'simple-statistics'
import { flushToDisk } from '../../harness/flush.ts'
import { timeRun } from '../../harness/time-run.ts'
import { fsTarget } from './fs-target.ts'
import { idbTarget } from './idb-target.ts'
import { UnavailableError } from './import-target.ts'
import { memoryTarget } from './memory-target.ts'
import type { ImportTarget, TargetContext, TargetKey } from './import-target.ts'
import type { InlineLimitRow } from './inline-limit.ts'
import type { FormatOptions } from './options.ts'
import type { Progress } from '../../tools/progress.ts'

const targets: Readonly<Record<TargetKey, (context: TargetContext) => Promise<ImportTarget>>> = { memory: memoryTarget, fs: fsTarget, idb: idbTarget }

export type ImportTimes =
  | { readonly store: TargetKey, readonly status: 'ok', readonly rawMs: Readonly<Record<number, readonly number[]>> }
  | { readonly store: TargetKey, readonly status: 'unavailable', readonly reason: string }

/**
 * Times imports under each limit, one of each in turn, so that whatever else the
 * machine does hits all alike.
 */
export async function measureImports (key: TargetKey, context: Omit<TargetContext, 'signal'>, rows: readonly InlineLimitRow[], { iterations }: FormatOptions, progress: Progress, signal: AbortSignal): Promise<ImportTimes> {
  let target: ImportTarget

  try {
    target = await targets[key]({ ...context, signal })
  } catch (err) {
    if (err instanceof UnavailableError) {
      return { store: key, status: 'unavailable', reason: err.message }
    }

    throw err
  }

  const rawMs: Record<number, number[]> = {}

  try {
    for (let round = 0; round < iterations; round++) {
      for (const { inlineBytes, root } of rows) {
        signal.throwIfAborted()
        progress(`import: ${key}, limit ${inlineBytes}, round ${round + 1} of ${iterations}`)

        const ms = await timeImport(target, inlineBytes, root);

        (rawMs[inlineBytes] ??= []).push(ms)
      }
    }
  } finally {
    await target.close()
  }

  return { store: key, status: 'ok', rawMs }
}

async function timeImport (target: ImportTarget, inlineBytes: number, expected: string): Promise<number> {
  await target.prepare()

  try {
    await flushToDisk()

    const { ms, result } = await timeRun(async () => target.add(inlineBytes), { collect: true })

    if (result !== expected) {
      throw new Error(`the import gave the root ${result}, and another store ${expected}`)
    }

    return ms
  } finally {
    await target.clean()
  }
}

/**
 * The median of the samples under a limit, or undefined where there is none
 */
export function medianMs (times: ImportTimes, inlineBytes: number): number | undefined {
  return times.status === 'ok' ? median([...times.rawMs[inlineBytes]]) : undefined
}
