import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { allCodecs } from './codecs/index.ts'
import { Car, carRowsOf, carTurns, measureIllFormedCar } from './measure-car.ts'
import { measureDirectory } from './measure-directories.ts'
import { measureFamily } from './measure-families.ts'
import { judgeRequirements } from './requirements.ts'
import { measureStrictness } from './strictness.ts'
import type { CodecContext } from './context.ts'
import type { CarTurnRow } from './measure-car.ts'
import type { CodecOptions } from './options.ts'
import type { CodecReport } from './report.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { Progress } from '../../tools/progress.ts'

export type { CodecReport } from './report.ts'

/**
 * What one part of a run is about
 */
interface MeasuredPart extends Partial<Pick<CodecReport, 'rows' | 'directories' | 'strictness' | 'car' | 'illFormedCar'>> {
  readonly carTurn?: CarTurnRow
}

/**
 * Of the CAR, about
 */
const BLOCK_BYTES = 720
/**
 * A family takes about as long as so many blocks of the CAR, with all its runs
 */
const BLOCKS_OF_ONE = 20_000

/**
 * Compares libraries of CBOR: their speed on values of thirteen families, on
 * directory blocks and on a whole CAR, and what each takes for dag-cbor.
 */
export async function runCodec (options: CodecOptions, run: RunContext): Promise<CodecReport> {
  const { signal } = run
  const contextOf = (progress: Progress): CodecContext => ({ options, progress, signal })

  return withTemporaryDirectory(async directory => {
    const car = new Car(directory)
    const turns = carTurns(options)
    const { results, interrupted } = await runParts<MeasuredPart>([
      ...options.families.map(family => ({
        key: family,
        measure: async (progress: Progress) => ({ rows: await measureFamily(family, contextOf(progress)) })
      })),
      ...(['links', 'inlined'] as const).map(content => ({
        key: `directory/${content}`,
        measure: async (progress: Progress) => ({ directories: [await measureDirectory(content, contextOf(progress))] })
      })),
      {
        key: 'strictness',
        weight: 0.1,
        async measure (progress) {
          progress('trying encodings that are not dag-cbor')

          return { strictness: await measureStrictness(allCodecs) }
        }
      },
      ...turns.map(turn => ({
        key: `car/${turn.work}/${turn.number}/${turn.codec}`,
        weight: Math.max(options.blocks, options.carBytes / BLOCK_BYTES) / BLOCKS_OF_ONE / turns.length,
        measure: async (progress: Progress) => {
          const row = await car.run(turn, contextOf(progress))

          return { car: await car.make(contextOf(progress)), carTurn: { ...turn, row } }
        }
      })),
      {
        key: 'car/ill-formed',
        weight: options.illFormed / BLOCKS_OF_ONE,
        measure: async progress => ({ illFormedCar: await measureIllFormedCar(directory, contextOf(progress)) })
      }
    ], run)
    const measured = {
      rows: results.flatMap(part => part.rows ?? []),
      directories: results.flatMap(part => part.directories ?? []),
      strictness: results.flatMap(part => part.strictness ?? []),
      // the same blocks from the same seed, whichever run made them
      car: results.find(part => part.car != null)?.car ?? null,
      carRows: carRowsOf(results.flatMap(part => part.carTurn ?? [])),
      illFormedCar: results.find(part => part.illFormedCar != null)?.illFormedCar ?? null
    }

    return {
      schema: 1,
      case: 'codec',
      machine: await describeMachine(directory),
      options,
      ...measured,
      requirements: interrupted == null ? judgeRequirements(measured) : [],
      ...interrupted == null ? {} : { interrupted }
    }
  })
}
