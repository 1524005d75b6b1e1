import { runLong, writeReport } from '../../run-command.ts'
import { runCodec } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printCodec } from './print.ts'
import type { Flags } from './options.ts'
import type { Command } from '../../run-command.ts'

export const CODEC: Command<Flags> = {
  usage: 'codec',
  description: 'encode and decode with every library of CBOR, and see how strict each is',
  flags: {
    '--iterations <n>': `samples of a row, at least (${defaults.iterations}; or ITERATIONS)`,
    '--min-time <ms>': `time of a row's samples together, at least (${defaults.minTimeMs}; or MIN_TIME)`,
    '--codecs <keys>': `of ${defaults.codecs.join(',')}`,
    '--families <names>': `of ${defaults.families.join(',')}`,
    '--values <n>': `values of a family (${defaults.values})`,
    '--entries <n>': `of the directory that is looked up in (${defaults.entries})`,
    '--blocks <n>': `of the CAR, at least (${defaults.blocks})`,
    '--car-bytes <n>': `of the CAR, at least (${defaults.carBytes}; the document's had 3500000000)`,
    '--seed <text>': `what everything is drawn from (${defaults.seed})`,
    '--timeout <minutes>': `for one call to a codec (${defaults.timeoutMs / 60_000})`,
    '--json <file>': 'write the report there'
  },

  async run (flags) {
    const options = await readOptions(flags, process.env)
    const report = await runLong(async (progress, signal) => runCodec(options, progress, signal))

    process.stdout.write(`${printCodec(report)}\n`)

    await writeReport(flags.json, report)

    if (report.requirements.some(({ holds }) => !holds) || [...report.rows, ...report.carRows].some(({ status }) => status === 'failed')) {
      process.exitCode = 1
    }
  }
}
