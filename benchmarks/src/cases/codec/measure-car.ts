import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError } from '../../harness/describe-error.ts'
import { thenStopped } from '../../harness/stopping.ts'
import { generateCar } from './car.ts'
import { startCodec } from './start-codec.ts'
import type { CarDescription, CarRun } from './car.ts'
import type { CodecContext } from './context.ts'
import type { CodecOptions } from './options.ts'
import type { CarRow, IllFormedCar } from './report.ts'

/**
 * Who reads and writes the CAR: `@ipld/dag-cbor` on cborg, and on borc
 */
const CONTENDERS = ['dag-cbor', 'dag-cbor-2']

/**
 * Runs over the CAR, each of which is seconds long; odd, so that one has the median time
 */
const RUNS = 3

/**
 * One run over the CAR
 */
export interface CarTurn {
  readonly codec: string
  readonly work: CarRow['work']
  /**
   * From 1; those of one number are made one after the other
   */
  readonly number: number
}

export interface CarTurnRow extends CarTurn {
  readonly row: CarRow
}

/**
 * Lists the runs over the CAR in their order: by turns for each work, and each of them in a new process.
 */
export function carTurns ({ codecs }: Pick<CodecOptions, 'codecs'>): CarTurn[] {
  const contenders = CONTENDERS.filter(key => codecs.includes(key))
  const numbers = Array.from({ length: RUNS }, (_, index) => index + 1)

  return (['read', 'read and write'] as const).flatMap(work => numbers.flatMap(number => contenders.map(codec => ({ codec, work, number }))))
}

/**
 * Makes the CAR, for the first run that needs it, and runs over it
 */
export class Car {
  readonly #directory: string
  readonly #failed: CarRow[] = []
  #made: Promise<CarDescription> | undefined

  constructor (directory: string) {
    this.#directory = directory
  }

  async make ({ options, progress, signal }: CodecContext): Promise<CarDescription> {
    this.#made ??= generateCar(this.#file, options, progress, signal)

    return this.#made
  }

  /**
   * One that failed at a work does not come again
   */
  async run ({ codec, work, number }: CarTurn, context: CodecContext): Promise<CarRow> {
    const before = this.#failed.find(row => row.codec === codec && row.work === work)

    if (before != null) {
      return before
    }

    const car = await this.make(context)

    context.progress(`CAR of ${car.blocks} blocks: ${codec}, ${work}, run ${number} of ${RUNS}`)

    const row = await rowOf(codec, work, car, this.#file, join(this.#directory, `${codec}.car`), context)

    if (row.status === 'failed') {
      this.#failed.push(row)
    }

    return row
  }

  get #file (): string {
    return join(this.#directory, 'blocks.car')
  }
}

/**
 * One row of all runs of a codec at a work, as many as there are
 */
export function carRowsOf (turns: readonly CarTurnRow[]): CarRow[] {
  return Object.values(Object.groupBy(turns, ({ work, codec }) => `${work}/${codec}`)).map((group = []) => ofMedianTime(group.map(({ row }) => row)))
}

/**
 * That of a run that failed, if one did
 */
function ofMedianTime (rows: readonly CarRow[]): CarRow {
  const failed = rows.find(({ status }) => status === 'failed')
  const byTime = [...rows].sort((a, b) => (a.run?.ms ?? 0) - (b.run?.ms ?? 0))

  return failed ?? { ...byTime[Math.floor(byTime.length / 2)], rawMs: rows.map(({ run }) => run?.ms ?? NaN) }
}

/**
 * Makes a CAR with strings that are not UTF-8, and has it read and written by who keeps such strings, and read by who refuses them.
 */
export async function measureIllFormedCar (directory: string, context: CodecContext): Promise<IllFormedCar> {
  const { options, progress, signal } = context
  const file = join(directory, 'ill-formed.car')
  const car = await generateCar(file, { blocks: options.illFormed, carBytes: 0, seed: `${options.seed}/ill-formed`, isIllFormed: true }, progress, signal)

  progress(`CAR of ${car.blocks} blocks with strings that are not UTF-8`)

  return { car, kept: await rowOf('dag-cbor-kept-text', 'read and write', car, file, join(directory, 'kept.car'), context), refusal: await refusalOf(file, context) }
}

/**
 * Has a codec read a CAR, or read and write it; what comes out has to be what went in.
 */
async function rowOf (codec: string, work: CarRow['work'], car: CarDescription, file: string, copy: string, context: CodecContext): Promise<CarRow> {
  try {
    const run = await runOnce(codec, work, file, copy, context)

    requireSame(car, run)

    return { codec, work, status: 'ok', run }
  } catch (err) {
    context.signal.throwIfAborted()

    return { codec, work, status: 'failed', reason: describeError(err) }
  }
}

async function refusalOf (file: string, context: CodecContext): Promise<string | null> {
  try {
    await runOnce('dag-cbor-strict-text', 'read', file, '', context)

    return null
  } catch (err) {
    context.signal.throwIfAborted()

    return describeError(err)
  }
}

async function runOnce (codec: string, work: CarRow['work'], file: string, copy: string, context: CodecContext): Promise<CarRun> {
  const { worker } = await startCodec(codec, context)

  try {
    return await thenStopped(worker, async () => work === 'read' ? worker.functions.readCar(file) : worker.functions.rewriteCar(file, copy))
  } finally {
    await rm(copy, { force: true })
  }
}

/**
 * A run that wrote nothing has compared the blocks that it read itself, as far as it did
 */
function requireSame (car: CarDescription, run: CarRun): void {
  if (run.blocks !== car.blocks || run.bytes !== car.bytes || (run.compared == null && run.digest !== car.digest)) {
    throw new Error(`the CAR has ${car.blocks} blocks, ${car.bytes} bytes, sha2-256 ${car.digest}, and what came out has ${run.blocks} blocks, ${run.bytes} bytes, ${run.digest ?? 'no hash'}`)
  }
}
