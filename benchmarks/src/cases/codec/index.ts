import { describeMachine } from '../../harness/machine.ts'
import { runParts } from '../../harness/parts.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { allCodecs } from './codecs/index.ts'
import { measureCar, measureIllFormedCar } from './measure-car.ts'
import { measureFamily } from './measure-families.ts'
import { judgeRequirements } from './requirements.ts'
import { startCodec } from './start-codec.ts'
import { measureStrictness } from './strictness.ts'
import type { DirectoryContent, DirectoryFigures } from './directories.ts'
import type { CarFigures, IllFormedCar } from './measure-car.ts'
import type { CodecContext } from './measure-families.ts'
import type { CodecOptions } from './options.ts'
import type { CodecReport, FamilyRow } from './report.ts'
import type { StrictnessRow } from './strictness.ts'
import type { RunContext } from '../../harness/parts.ts'
import type { Progress } from '../../tools/progress.ts'

export type { CodecReport } from './report.ts'

/**
 * Compares libraries of CBOR: their speed on values of thirteen families, on
 * directory blocks and on a whole CAR, and what each takes for dag-cbor.
 */
export async function runCodec (options: CodecOptions, run: RunContext): Promise<CodecReport> {
  const { signal } = run
  const contextOf = (progress: Progress): CodecContext => ({ options, progress, signal })

  return withTemporaryDirectory(async directory => {
    const families = await runParts<FamilyRow[]>(options.families.map(family => ({
      key: family,
      measure: async progress => measureFamily(family, contextOf(progress))
    })), run)
    const lookUps = await runParts<DirectoryFigures>((['links', 'inlined'] as const).map(content => ({
      key: `directory/${content}`,
      measure: async progress => measureDirectory(content, contextOf(progress))
    })), run)
    const strictness = await runParts<StrictnessRow[]>([{
      key: 'strictness',
      async measure (progress) {
        progress('trying encodings that are not dag-cbor')

        return measureStrictness(allCodecs)
      }
    }], run)
    const cars = await runParts<CarFigures>([{
      key: 'car',
      measure: async progress => measureCar(directory, contextOf(progress))
    }], run)
    const illFormed = await runParts<IllFormedCar>([{
      key: 'car/ill-formed',
      measure: async progress => measureIllFormedCar(directory, contextOf(progress))
    }], run)
    // what the first that was interrupted says; those after it were not begun
    const { interrupted } = [families, lookUps, strictness, cars].find(part => part.interrupted != null) ?? illFormed
    const measured = {
      rows: families.results.flat(),
      directories: lookUps.results,
      strictness: strictness.results.flat(),
      car: cars.results.at(0)?.car ?? null,
      carRows: cars.results.at(0)?.carRows ?? [],
      illFormedCar: illFormed.results.at(0) ?? null
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

async function measureDirectory (content: DirectoryContent, context: CodecContext): Promise<DirectoryFigures> {
  context.progress(`looking up in a directory block, ${content}`)

  const { worker } = await startCodec('dagfs', context)

  try {
    return await worker.functions.directory(content, context.options.entries, context.options)
  } finally {
    await worker.stop()
  }
}
