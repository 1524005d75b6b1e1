import { fileURLToPath } from 'node:url'
import { median } from 'simple-statistics'
import { describeError } from '../../harness/describe-error.ts'
import { rawTimes } from '../../harness/raw-times.ts'
import { roundsUntilInterrupted } from '../../harness/rounds.ts'
import { stopAll } from '../../harness/stopping.ts'
import { startWorker } from '../../harness/worker-process.ts'
import { requireRight } from './checks.ts'
import { layerOf } from './layers.ts'
import type { Seen } from './consumers.ts'
import type { Layer } from './layers.ts'
import type { Stored } from './make-store.ts'
import type { LayersOptions } from './options.ts'
import type { LayerWorkerFunctions } from './protocol.ts'
import type { LayerRow } from './report.ts'
import type { Place } from './sources/source.ts'
import type { TimedSample } from '../../harness/rounds.ts'
import type { WorkerProcess } from '../../harness/worker-process.ts'
import type { Progress } from '../../tools/progress.ts'

export interface LayersContext {
  readonly options: LayersOptions
  readonly stored: Stored
  readonly progress: Progress
  readonly signal: AbortSignal
}

interface Started {
  readonly layer: Layer
  readonly worker: WorkerProcess<LayerWorkerFunctions>
  readonly version: string
  readonly seen: Seen
}

/**
 * Has every layer scan what is stored with reads of one size, each in a process
 * of its own, one scan of each in turn. An interrupt leaves the scans so far. `written` are the files that layers have made for themselves so far.
 */
export async function measureLayers (place: Place, written: Set<string>, context: LayersContext): Promise<LayerRow[]> {
  const { options, progress, signal } = context
  const { readBytes } = place
  const chosen = options.layers.map(layerOf)
  const workers = new Map<Layer, WorkerProcess<LayerWorkerFunctions>>()
  const started: Started[] = []
  const rows = new Map<string, LayerRow>()

  try {
    for (const layer of chosen) {
      const reason = layer.source.unavailable?.(place)

      if (reason != null) {
        rows.set(layer.key, { ...emptyRow(layer, readBytes), status: 'unavailable', reason })
        continue
      }

      progress(`reads of ${readBytes} bytes: checking ${layer.key}`)

      // the file beside this one when both are compiled
      const worker = startWorker<LayerWorkerFunctions>(layer.key, fileURLToPath(new URL('worker.js', import.meta.url)), { signal, timeoutMs: options.timeoutMs })

      workers.set(layer, worker)

      try {
        started.push(await start(layer, worker, place, written, context))
      } catch (err) {
        signal.throwIfAborted()
        rows.set(layer.key, failedRow(layer, readBytes, err))
      }
    }

    const outcomes = await roundsUntilInterrupted(started.map(({ layer: { key }, worker, seen }) => ({
      key,
      onDisk: false,
      cid: JSON.stringify(seen),
      round: async () => worker.functions.round(),
      stop: async () => worker.stop()
    })), { options, signal, progress: line => { progress(`reads of ${readBytes} bytes: ${line}`) } })

    for (const { layer, version, seen } of started) {
      const outcome = outcomes.get(layer.key)

      // an interrupt came before its first sample
      if (outcome == null) {
        continue
      }

      rows.set(layer.key, 'failure' in outcome
        ? failedRow(layer, readBytes, outcome.failure)
        : measuredRow(layer, readBytes, version, seen, outcome.samples))
    }
  } finally {
    for (const [layer, failure] of await stopAll(workers)) {
      // how it failed first says more, and what an interrupt breaks off did not fail
      if (!signal.aborted && rows.get(layer.key)?.status !== 'failed') {
        rows.set(layer.key, failedRow(layer, readBytes, failure))
      }
    }
  }

  return chosen.flatMap(({ key }) => rows.get(key) ?? [])
}

async function start (layer: Layer, worker: Started['worker'], place: Place, written: Set<string>, { stored }: LayersContext): Promise<Started> {
  const version = await worker.functions.open(layer.key, place)
  const file = layer.source.own?.path(place)

  if (file != null && !written.has(file)) {
    await worker.functions.write()
    written.add(file)
  }

  const checked = await worker.functions.check()

  requireRight(layer, checked, stored)

  // no hash is taken while the clock runs
  const { digest, ...seen } = checked

  return { layer, worker, version, seen }
}

function measuredRow (layer: Layer, readBytes: number, version: string, { pieces, bytes }: Seen, samples: readonly TimedSample[]): LayerRow {
  const times = rawTimes(samples)

  return { ...emptyRow(layer, readBytes), version, pieces, bytes, ...times, p50: median(times.rawMs), status: 'ok', reason: null }
}

function failedRow (layer: Layer, readBytes: number, err: unknown): LayerRow {
  return { ...emptyRow(layer, readBytes), status: 'failed', reason: describeError(err) }
}

function emptyRow ({ key, by, what }: Layer, readBytes: number): Omit<LayerRow, 'status' | 'reason'> {
  return { case: 'layers', layer: key, by, what, version: null, readBytes, pieces: null, bytes: null, samples: 0, rawMs: [], p50: null }
}
