import { expect } from 'aegir/chai'
import { fromHex, toHex } from 'multiformats/bytes'
import { Cursor } from '../../src/codec/cursor.ts'
import { dagCborCode } from '../../src/codec/index.ts'
import { anyCid, refusal, thrown } from './refusal.ts'

const cid = anyCid(dagCborCode)
const link = `d82a582500${toHex(cid.bytes)}`

const readers = {
  unsigned: (cursor: Cursor) => cursor.unsigned('a value'),
  integer: (cursor: Cursor) => cursor.integer('a value'),
  bytes: (cursor: Cursor) => toHex(cursor.byteString('a value')),
  text: (cursor: Cursor) => cursor.text('a value'),
  list: (cursor: Cursor) => cursor.list('a value'),
  map: (cursor: Cursor) => cursor.map('a value'),
  boolean: (cursor: Cursor) => cursor.boolean(),
  link: (cursor: Cursor) => cursor.link('a value').toString(),
  peek: (cursor: Cursor) => cursor.peek()
}

type Reader = keyof typeof readers

const read: ReadonlyArray<[reader: Reader, hex: string, value: unknown]> = [
  ['unsigned', '00', 0],
  ['unsigned', '17', 23],
  ['unsigned', '1818', 24],
  ['unsigned', '18ff', 255],
  ['unsigned', '190100', 256],
  ['unsigned', '19ffff', 65_535],
  ['unsigned', '1a00010000', 65_536],
  ['unsigned', '1affffffff', 2 ** 32 - 1],
  ['unsigned', '1b0000000100000000', 2 ** 32],
  ['unsigned', '1b001fffffffffffff', 2 ** 53 - 1],
  ['integer', '00', 0],
  ['integer', '20', -1],
  ['integer', '37', -24],
  ['integer', '3818', -25],
  ['integer', '3b001ffffffffffffe', -(2 ** 53 - 1)],
  ['bytes', '40', ''],
  ['bytes', '4200ff', '00ff'],
  ['text', '60', ''],
  ['text', '6161', 'a'],
  ['text', '63efbbbf', '\ufeff'],
  ['text', '64f09f9880', '\u{1f600}'],
  ['list', '80', 0],
  ['list', '8100', 1],
  ['map', 'a0', 0],
  ['map', 'a10000', 1],
  ['boolean', 'f4', false],
  ['boolean', 'f5', true],
  ['link', link, cid.toString()],
  ['peek', 'a0', 5]
]

const refused: ReadonlyArray<[reader: Reader, hex: string, why: string]> = [
  ['peek', '', 'nothing is left'],
  ['unsigned', '', 'nothing is left'],
  ['unsigned', '18', 'its argument is missing'],
  ['unsigned', '1901', 'its argument is cut'],
  ['unsigned', '1b00000001000000', 'its argument is cut'],
  ['unsigned', '1817', 'one byte too many'],
  ['unsigned', '1900ff', 'one byte too many'],
  ['unsigned', '1a0000ffff', 'two bytes too many'],
  ['unsigned', '1b00000000ffffffff', 'four bytes too many'],
  ['unsigned', '1b0020000000000000', '2^53'],
  ['unsigned', '1bffffffffffffffff', '2^64 - 1'],
  ['unsigned', '20', 'negative'],
  ['unsigned', '1c', 'reserved'],
  ['unsigned', '1f', 'indefinite'],
  ['unsigned', '40', 'bytes'],
  ['integer', '3b001fffffffffffff', '-2^53'],
  ['integer', '3817', 'one byte too many'],
  ['integer', '6130', 'a text'],
  ['integer', 'f90000', 'a float'],
  ['bytes', '60', 'a text'],
  ['bytes', '41', 'its bytes are missing'],
  ['bytes', '5800', 'a length in one byte too many'],
  ['bytes', '5f4100ff', 'indefinite'],
  ['bytes', '5b001fffffffffffff', 'a length beyond the end'],
  ['text', '40', 'bytes'],
  ['text', '6261', 'cut'],
  ['text', '61ff', 'not UTF-8'],
  ['text', '63eda080', 'a surrogate'],
  ['text', '62c080', 'an overlong NUL'],
  ['text', '7f6161ff', 'indefinite'],
  ['list', 'a0', 'a map'],
  ['list', '81', 'claims one item of no bytes'],
  ['list', '9a00040001', 'claims more than any node has'],
  ['list', '9f', 'indefinite'],
  ['map', '80', 'a list'],
  ['map', 'a1', 'claims one pair of no bytes'],
  ['map', 'bf', 'indefinite'],
  ['boolean', 'f6', 'null'],
  ['boolean', 'f7', 'undefined'],
  ['boolean', 'f93c00', 'a half float'],
  ['boolean', 'fa3f800000', 'a float'],
  ['boolean', 'fb3ff0000000000000', 'a double'],
  ['boolean', 'f814', 'two bytes for one'],
  ['boolean', 'e0', 'another simple value'],
  ['boolean', '00', 'an integer'],
  ['link', 'c0', 'tag 0'],
  ['link', 'd82b40', 'tag 43'],
  ['link', 'd9002a40', 'the tag in one byte too many'],
  ['link', 'd82a40', 'no CID'],
  ['link', 'd82a6161', 'a text'],
  ['link', link.replace('582500', '582501'), 'no zero byte before the CID'],
  ['link', link.replace('0171', '0170'), 'dag-pb'],
  ['link', link.slice(0, -2), 'cut'],
  ['link', `5825${link.slice(8)}`, 'no tag']
]

describe('codec/cursor', () => {
  for (const [reader, hex, value] of read) {
    it(`reads ${hex.slice(0, 20)} as ${reader} ${String(value).slice(0, 20)}`, () => {
      const cursor = new Cursor(fromHex(hex), cid)

      expect(readers[reader](cursor)).to.equal(value)
    })
  }

  for (const [reader, hex, why] of refused) {
    it(`refuses ${hex === '' ? 'no bytes' : hex.slice(0, 20)} as ${reader}: ${why}`, () => {
      expect(refusal(readers[reader], new Cursor(fromHex(hex), cid))).to.equal('InvalidNodeError')
    })
  }

  it('refuses bytes after the node', () => {
    expect(refusal(cursor => cursor.end(), new Cursor(fromHex('00')))).to.equal('InvalidNodeError')
  })

  it('reports the position of the fault', () => {
    const cursor = new Cursor(fromHex('0060'), cid)
    cursor.unsigned('a value')

    expect(thrown(readers.unsigned, cursor)).to.have.property('message').that.matches(/at byte 1 in block/)
  })

  it('reads 2,097,152 bytes and refuses one more', () => {
    expect(refusal(bytes => new Cursor(bytes), new Uint8Array(2 ** 21))).to.equal(undefined)
    expect(refusal(bytes => new Cursor(bytes), new Uint8Array(2 ** 21 + 1))).to.equal('LimitExceededError')
  })

  it('reads up to a limit and refuses what exceeds it, there', () => {
    const readTwo = (maxBytes: number) => (cursor: Cursor) => cursor.within(maxBytes, 'a pair', () => [cursor.unsigned('a'), cursor.unsigned('b')])

    expect(refusal(readTwo(2), new Cursor(fromHex('010203')))).to.equal(undefined)
    expect(refusal(readTwo(1), new Cursor(fromHex('010203')))).to.equal('InvalidNodeError')
    expect(refusal(readTwo(2), new Cursor(fromHex('01181803')))).to.equal('InvalidNodeError')
    expect(refusal(readTwo(3), new Cursor(fromHex('01181803')))).to.equal(undefined)
  })

  it('distinguishes the end of the block from a limit', () => {
    const readOne = (maxBytes: number) => (cursor: Cursor) => cursor.within(maxBytes, 'a pair', () => cursor.byteString('bytes'))

    expect(thrown(readOne(10), new Cursor(fromHex('4501')))).to.have.property('message').that.matches(/ends too early/)
    expect(thrown(readOne(2), new Cursor(fromHex('450102030405')))).to.have.property('message').that.matches(/a pair is longer than 2 bytes/)
  })

  it('continues after what was read up to a limit', () => {
    const cursor = new Cursor(fromHex('010203'))
    cursor.within(1, 'a value', () => cursor.unsigned('a'))

    expect([cursor.unsigned('b'), cursor.unsigned('c'), cursor.isAtEnd()]).to.deep.equal([2, 3, true])
  })
})
