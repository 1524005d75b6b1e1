import { published } from './families.ts'
import type { CodecReport, Direction } from './report.ts'

/**
 * What `@ipld/dag-cbor` on cborg does in percent of that on borc, here and in the document
 */
export interface BesidePublished {
  readonly family: string
  readonly averageBytes: number
  readonly encode: Percentages
  readonly decode: Percentages
}

export interface Percentages {
  readonly here: number
  readonly published: number
}

/**
 * Puts the percentages of the families that both codecs were measured on beside those of the document.
 */
export function besidePublished ({ rows, options }: Pick<CodecReport, 'rows' | 'options'>): BesidePublished[] {
  const rate = (family: string, direction: Direction, codec: string): number => rows.find(row => row.family === family && row.direction === direction && row.codec === codec)?.opsPerSec ?? NaN
  const percentages = (family: string, direction: Direction): Percentages => ({
    here: rate(family, direction, 'dag-cbor') / rate(family, direction, 'dag-cbor-2') * 100,
    published: published[family][direction]
  })

  return options.families.map(family => ({
    family,
    averageBytes: rows.find(row => row.family === family && row.codec === 'dag-cbor')?.averageBytes ?? NaN,
    encode: percentages(family, 'encode'),
    decode: percentages(family, 'decode')
  })).filter(({ encode, decode }) => !Number.isNaN(encode.here) && !Number.isNaN(decode.here))
}
