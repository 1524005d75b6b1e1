import { sayFailed } from '../../harness/failed-rows.ts'
import { defineCase } from '../case.ts'
import { sections } from './charts.ts'
import { runCodec } from './index.ts'
import { defaults, readOptions } from './options.ts'
import { printCodec } from './print.ts'
import { codecSection } from './readme-section.ts'
import { untriedOf } from './strictness.ts'
import type { CodecOptions, Flags } from './options.ts'
import type { CodecReport } from './report.ts'

export const CODEC = defineCase<Flags, CodecOptions, CodecReport>({
  key: 'codec',
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
    '--ill-formed <n>': `blocks of another CAR, with strings that are not UTF-8 (${defaults.illFormed})`,
    '--seed <text>': `what everything is drawn from (${defaults.seed})`,
    '--timeout <minutes>': `for one call to a codec (${defaults.timeoutMs / 60_000})`
  },
  all: { flags: { blocks: 100_000 }, minutes: 7 },
  readOptions,
  run: runCodec,
  print: printCodec,

  faults ({ rows, directories, strictness, carRows, requirements }) {
    return [
      ...sayFailed(rows, ({ codec, family, direction }) => [codec, family, direction]),
      ...directories.flatMap(({ content, ways }) => ways.filter(({ status }) => status === 'failed').map(({ key, reason = '' }) => `${key}, directory of ${content}: ${reason}`)),
      ...sayFailed(untriedOf(strictness), ({ codec }) => [codec, 'strictness']),
      ...sayFailed(carRows, ({ codec, work }) => [codec, work]),
      ...requirements.filter(({ holds }) => !holds).map(({ what }) => `does not hold: ${what}`)
    ]
  },

  sections,
  readme: codecSection
})
