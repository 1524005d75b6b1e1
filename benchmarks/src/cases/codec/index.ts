import { describeMachine } from '../../harness/machine.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { allCodecs } from './codecs/index.ts'
import { measureCar } from './measure-car.ts'
import { measureFamilies } from './measure-families.ts'
import { judgeRequirements } from './requirements.ts'
import { startCodec } from './start-codec.ts'
import { measureStrictness } from './strictness.ts'
import type { DirectoryFigures } from './directories.ts'
import type { CodecContext } from './measure-families.ts'
import type { CodecOptions } from './options.ts'
import type { CodecReport } from './report.ts'
import type { Progress } from '../../tools/progress.ts'

export type { CodecReport } from './report.ts'

/**
 * Compares libraries of CBOR: their speed on values of thirteen families, on
 * directory blocks and on a whole CAR, and what each takes for dag-cbor.
 */
export async function runCodec (options: CodecOptions, progress: Progress, signal: AbortSignal): Promise<CodecReport> {
  const context: CodecContext = { options, progress, signal }

  return withTemporaryDirectory(async directory => {
    const rows = await measureFamilies(context)
    const figures = await measureDirectory(context)

    progress('trying encodings that are not dag-cbor')

    const strictness = await measureStrictness(allCodecs)
    const measured = { rows, directory: figures, strictness, ...await measureCar(directory, context) }

    return { schema: 1, machine: await describeMachine(directory), options, ...measured, requirements: judgeRequirements(measured) }
  })
}

async function measureDirectory (context: CodecContext): Promise<DirectoryFigures> {
  context.progress('looking up in a directory block')

  const { worker } = await startCodec('dagfs', context)

  try {
    return await worker.functions.directory(context.options.entries, context.options)
  } finally {
    await worker.stop()
  }
}
