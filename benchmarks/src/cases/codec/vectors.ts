/**
 * One encoding, and whether it is dag-cbor
 */
export interface Vector {
  readonly rule: string
  readonly hex: string
  readonly why: string
  readonly isValid: boolean
}

const digest = 'ba'.repeat(32)
const link = `d82a58250001711220${digest}`

const valid = (rule: string, hex: string, why: string): Vector => ({ rule, hex, why, isValid: true })
const invalid = (rule: string, hex: string, why: string): Vector => ({ rule, hex, why, isValid: false })

/**
 * Rules that our own reader keeps as far as it can: JavaScript does not tell a float that is whole from an integer, so that it is
 * written as one, and 512 levels are as deep as we read
 */
export const wholeFloats = 'whole floats'
export const nestingLimit = 512
export const deeper = `nesting beyond ${nestingLimit}`

const nested = (levels: number): string => `${'81'.repeat(levels - 1)}80`

/**
 * What DASL's test suite says of dag-cbor, or of all CBOR, by the file that says it: encodings that have to come back as they were,
 * and those that have to be refused. Whole floats and deep nesting, which are rules of ours, are left out, and CIDs that are no
 * DASL CIDs, since dag-cbor has them.
 *
 * https://github.com/hyphacoop/dasl-testing/tree/2481b9f0ae947483616d74f30e4966b4367c6969/fixtures/cbor
 */
const dasl: ReadonlyArray<readonly [file: string, valid: string, invalid: string]> = [
  ['cid', 'd82a582500015512205891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03 d82a450001551200', 'd9002a582500015512205891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03 d82a4100 d82a582400015512205891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be'],
  ['concat', '', '0000'],
  ['floats', 'fb3ff8000000000000 fb0000000000000001', 'f93e00 fb7ff8000000000000 f97e00 f97c00 fa7f800000 fb7ff0000000000000 f9fc00 faff800000 fbfff0000000000000 f97d00'],
  ['indefinite', '', 'bfff 9fff 5fff 7fff'],
  ['integer_range', '1bffffffffffffffff 3bffffffffffffffff 1b001fffffffffffff 1b0020000000000001 3b001ffffffffffffe 3b0020000000000000', ''],
  ['map_keys', 'a1616100 a361610161620262616103', 'a10000 a2616201616100 a2616100616101'],
  ['short_form', 'a1616100 01 20 40 60 80', 'b801616100 b90001616100 ba00000001616100 bb0000000000000001616100 1801 190001 1a00000001 1b0000000000000001 3800 390000 3a00000000 3b0000000000000000 5800 590000 5a00000000 5b0000000000000000 7800 790000 7a00000000 7b0000000000000000 9800 990000 9a00000000 9b0000000000000000'],
  ['simple', 'f6', 'f7 e0'],
  ['tags', '', 'd8207368747470733a2f2f6578616d706c652e636f6d'],
  ['utf8', '7873d8a7d984d986d8b561f09f94a5f09f918bf09f8fbc5acda7cc91cc93cca4cd9461cc88cc88cc87cd96ccad6ccdaecc92cdab67cc8ccc9acc97cd9a6fcc94cdaecc87cd90cc87cc99f09fa79fe2808de29980efb88fe2808d20f09f8fb3efb88fe2808de29aa7efb88fe794b0e2808b20e2808b 630d0a09 6365cc81', '62c328']
]

const daslRule = 'DASL suite'
const daslVectors = dasl.flatMap(([file, good, bad]) => [
  ...encodings(good).map(hex => valid(daslRule, hex, `${file}, ${hex}`)),
  ...encodings(bad).map(hex => invalid(daslRule, hex, `${file}, ${hex}`))
])

function encodings (list: string): string[] {
  return list.split(' ').filter(hex => hex !== '')
}

/**
 * Encodings out of our own pen and those of the suites. A library is strict where it refuses all those that are not
 * dag-cbor, and complete where it accepts all that are.
 */
export const vectors: readonly Vector[] = [
  valid('integers', '17', '23'),
  valid('integers', '1818', '24'),
  valid('integers', '1b001fffffffffffff', '2^53 - 1'),
  valid('integers', '3b001ffffffffffffe', '-(2^53 - 1)'),
  valid('integers', '1b0020000000000001', '2^53 + 1, which is no number of JavaScript'),
  valid('integers', '3b0020000000000000', '-(2^53 + 1)'),
  valid('integers', '1bffffffffffffffff', '2^64 - 1'),
  valid('integers', '3bffffffffffffffff', '-2^64'),
  invalid('integers', '1817', '23 in two bytes'),
  invalid('integers', '1900ff', '255 in three bytes'),
  invalid('integers', '1a0000ffff', '65,535 in five bytes'),
  invalid('integers', '1b00000000ffffffff', '2^32 - 1 in nine bytes'),
  invalid('integers', '3817', '-24 in two bytes'),
  invalid('lengths', '580101', 'bytes whose length takes a byte too many'),
  invalid('lengths', '780161', 'a string whose length takes a byte too many'),
  invalid('lengths', '980101', 'a list whose length takes a byte too many'),
  invalid('lengths', 'b801616101', 'a map whose length takes a byte too many'),
  invalid('indefinite', '5f4101ff', 'bytes of indefinite length'),
  invalid('indefinite', '7f6161ff', 'a string of indefinite length'),
  invalid('indefinite', '9f01ff', 'a list of indefinite length'),
  invalid('indefinite', 'bf616101ff', 'a map of indefinite length'),
  valid('floats', 'fb3ff8000000000000', '1.5 in 64 bits'),
  valid('floats', 'fb0000000000000001', 'the smallest float'),
  invalid('floats', 'f93e00', '1.5 in 16 bits'),
  invalid('floats', 'fa3fc00000', '1.5 in 32 bits'),
  invalid('floats', 'fb7ff8000000000000', 'NaN'),
  invalid('floats', 'f97e00', 'NaN in 16 bits'),
  invalid('floats', 'f97d00', 'a signalling NaN in 16 bits'),
  invalid('floats', 'fb7ff0000000000000', 'infinity'),
  invalid('floats', 'fa7f800000', 'infinity in 32 bits'),
  invalid('floats', 'f97c00', 'infinity in 16 bits'),
  invalid('floats', 'fbfff0000000000000', 'minus infinity'),
  invalid('floats', 'faff800000', 'minus infinity in 32 bits'),
  invalid('floats', 'f9fc00', 'minus infinity in 16 bits'),
  valid(wholeFloats, 'fb0000000000000000', '0.0'),
  valid(wholeFloats, 'fb8000000000000000', '-0.0'),
  valid(wholeFloats, 'fb4024000000000000', '10.0'),
  valid('maps', 'a361610161620262616103', 'keys in order: shorter ones first'),
  invalid('maps', 'a2616202616101', 'keys out of order'),
  invalid('maps', 'a262616101616202', 'a longer key first'),
  invalid('maps', 'a2616101616102', 'a key twice'),
  invalid('maps', 'a36161016262620262626203', 'a key twice, behind another'),
  invalid('maps', 'a10203', 'an integer as key'),
  invalid('maps', 'a1410203', 'bytes as key'),
  valid('simple values', '83f4f5f6', 'false, true and null'),
  invalid('simple values', 'f7', 'undefined'),
  invalid('simple values', 'e0', 'an unassigned simple value'),
  invalid('simple values', 'f8ff', 'a simple value in two bytes'),
  valid('text', '63efbfbd', 'U+FFFD'),
  valid('text', '64efbbbf61', 'a leading U+FEFF, which has to be kept'),
  invalid('text', '61ff', 'a byte that is not UTF-8'),
  invalid('text', '63eda080', 'a lone surrogate'),
  invalid('text', '62c080', 'a NUL in two bytes'),
  valid('links', link, 'a link'),
  valid('links', `d82a58250001711e20${digest}`, 'a link by BLAKE3'),
  invalid('links', `d9002a${link.slice(4)}`, 'tag 42 in three bytes'),
  invalid('links', `d82a5824${link.slice(10)}`, 'no zero before the CID'),
  invalid('links', 'd82a4100', 'no CID'),
  invalid('links', link.slice(0, 6) + '24' + link.slice(8, -2), 'a digest that is cut'),
  invalid('links', 'd82a6161', 'a string as CID'),
  invalid('tags', 'c001', 'tag 0'),
  invalid('tags', 'd8206161', 'tag 32'),
  invalid('tags', 'c249010000000000000000', 'a big number'),
  invalid('tags', 'd9d9f701', 'the tag that says that it is CBOR'),
  invalid('ends', '', 'nothing'),
  invalid('ends', '8201', 'a list that ends early'),
  invalid('ends', '6261', 'a string that ends early'),
  invalid('ends', '0102', 'two values'),
  invalid('ends', '9b0000001000000000', 'a list that claims 2^36 items'),
  valid('nesting', nested(nestingLimit - 1), `lists, ${nestingLimit - 1} deep`),
  valid('nesting', nested(nestingLimit), `lists, ${nestingLimit} deep`),
  valid(deeper, nested(nestingLimit + 1), `lists, ${nestingLimit + 1} deep`),
  valid(deeper, nested(3_001), 'lists, 3,001 deep'),
  ...daslVectors,
  // https://github.com/ipld/codec-fixtures/tree/0cc7c097845dbdadd9c70ec06656d0e83e8d2469/negative-fixtures/dag-cbor
  invalid('codec-fixtures', 'a3636261720363666f6f0163666f6f02', 'a key twice')
]
