"""Blocks that are not canonical, and links that are none of the format: (title, block) and (title, link)."""

from parts import DIGEST, DIR_CID, LINK, RAW_CID, directory, entry, raw_map, tagged, with_attributes, with_meta, x
from dagcbor import encode
from writer import pattern


def cbor():
    empty = directory()
    yield 'an integer in one byte too many', directory(entry('a', 'f', b'\0', x('1801')))
    yield 'an integer of 24 in two bytes', directory(entry('a', 'f', pattern(24), x('190018')))
    yield 'an integer of 255 in four bytes', directory(entry('a', 'f', pattern(255), x('1a000000ff')))
    yield 'an integer of 65,536 in eight bytes', directory(entry('a', 'd', DIR_CID, x('1b0000000000010000')))
    yield 'a negative integer in one byte too many', with_attributes(raw_map(('mtime', x('82380000'))))
    yield 'a text with a length in one byte too many', directory(entry(x('780161'), 'f', b'', 0))
    yield 'a byte string with a length in one byte too many', directory(entry('a', 'f', x('5800'), 0))
    yield 'a list with a count in one byte too many', b'\xa1\x63dir\x98\x00'
    yield 'a map with a count in one byte too many', b'\xb8\x01\x63dir\x80'
    yield 'the tag 42 in three bytes', directory(entry('a', 'f', x(b'\xd9\x00\x2a' + LINK[2:]), 1))
    yield 'a list of indefinite length', b'\xa1\x63dir\x9f\xff'
    yield 'a map of indefinite length', b'\xbf\x63dir\x80\xff'
    yield 'a text of indefinite length', directory(entry(x('7f6161ff'), 'f', b'', 0))
    yield 'a byte string of indefinite length', directory(entry('a', 'f', x('5f4100ff'), 1))
    for info in ('1c', '1d', '1e', '1f'):
        yield f'the reserved head {info}', directory(entry('a', 'f', b'', x(info)))
    yield 'a break alone', b'\xa1\x63dir\xff'
    yield 'a half float as a size', directory(entry('a', 'f', b'', x('f90000')))
    yield 'a float as a size', directory(entry('a', 'f', b'\0', x('fa3f800000')))
    yield 'a double as a size', directory(entry('a', 'f', b'\0', x('fb3ff0000000000000')))
    yield '2^53 as a double', directory(entry('a', 'd', DIR_CID, x('fb4340000000000000')))
    yield '2^53 as a size', directory(entry('a', 'd', DIR_CID, x('1b0020000000000000')))
    yield '2^53 + 1 as a size', directory(entry('a', 'd', DIR_CID, x('1b0020000000000001')))
    yield '2^64 - 1 as a size', directory(entry('a', 'd', DIR_CID, x('1bffffffffffffffff')))
    yield '-2^53 as seconds', with_attributes(raw_map(('mtime', x('823b001fffffffffffff00'))))
    yield '-2^64 as seconds', with_attributes(raw_map(('mtime', x('823bffffffffffffffff00'))))
    for name, value in (('null', 'f6'), ('undefined', 'f7'), ('simple value 0', 'e0'), ('simple value 20 in two bytes', 'f814'), ('simple value 255', 'f8ff'),
                        ('NaN', 'f97e00'), ('minus zero', 'f98000'), ('a half float', 'f93c00'), ('a float', 'fa47c35000'), ('a double', 'fb3ff199999999999a'), ('infinity', 'f97c00')):
        yield f'{name} in meta', with_meta(x(value))
    yield 'null as content', directory(entry('a', 'f', x('f6'), 0))
    yield 'the tag 0', directory(entry('a', 'f', x('c060'), 0))
    yield 'the tag 2, a big integer', directory(entry('a', 'f', b'', x('c24100')))
    yield 'the tag 43', directory(entry('a', 'f', x(b'\xd8\x2b' + LINK[2:]), 1))
    yield 'the tag 55799 before the node', b'\xd9\xd9\xf7' + empty
    yield 'a tag inside a tag', directory(entry('a', 'f', x(b'\xd8\x2a' + LINK), 1))
    yield 'the tag 42 on a text', directory(entry('a', 'f', x(b'\xd8\x2a' + encode('a')), 1))
    yield 'no bytes at all', b''
    yield 'a byte behind the node', empty + b'\0'
    yield 'a second node behind the node', empty + empty
    yield 'a text of bytes that are not UTF-8', directory(entry(x('61ff'), 'f', b'', 0))
    yield 'a text that ends inside a character', directory(entry(x('62c3'), 'f', b'', 0))
    yield 'a text with an overlong character', directory(entry(x('62c1a1'), 'f', b'', 0))
    yield 'a text with an overlong slash', directory(entry(x('62c0af'), 'f', b'', 0))
    yield 'a surrogate alone in a name', directory(entry(x('63eda080'), 'f', b'', 0))
    yield 'a pair of surrogates in a name (CESU-8)', directory(entry(x('66eda0bdedb880'), 'f', b'', 0))
    yield 'a character over U+10FFFF', directory(entry(x('64f4908080'), 'f', b'', 0))
    yield 'a surrogate alone in a target', directory(entry('a', 'l', x('63edb080'), 3))
    yield 'a surrogate alone in meta', with_meta(x('63eda080'))
    yield 'a surrogate alone in a key of meta', with_attributes(raw_map(('meta', x(b'\xa1\x63\xed\xa0\x80\x00'))))
    yield 'a text in meta that begins with U+FEFF', with_meta('\ufeffa')
    yield 'a key in meta that begins with U+FEFF', with_attributes(raw_map(('meta', x(raw_map(('\ufeff', 1))))))
    yield 'keys out of order', with_attributes(raw_map(('mode', 1), ('meta', x(raw_map(('k', 1))))))
    yield 'keys in the order of bytes, a longer one first', with_attributes(raw_map(('meta', x(raw_map(('aa', 1), ('b', 1))))))
    yield 'a key twice', with_attributes(raw_map(('mode', 1), ('mode', 1)))
    yield 'a key twice in meta', with_attributes(raw_map(('meta', x(raw_map(('k', 1), ('k', 2))))))
    yield 'a key that is an integer', with_attributes(raw_map((1, 1)))
    yield 'a key that is a byte string', with_attributes(raw_map((b'mode', 1)))


def links():
    yield 'a CIDv0', tagged(b'\x12\x20' + DIGEST)
    yield 'an identity CID', tagged(b'\x01\x55\x00\x05hello')
    yield 'an identity CID of 32 bytes', tagged(b'\x01\x55\x00\x20' + DIGEST)
    yield 'a CID with sha2-512', tagged(b'\x01\x55\x13\x40' + DIGEST + DIGEST)
    yield 'a CID with blake3', tagged(b'\x01\x55\x1e\x20' + DIGEST)
    yield 'a CID with a truncated digest', tagged(b'\x01\x55\x12\x14' + DIGEST[:20])
    yield 'a CID with a byte behind it', tagged(b'\x01\x55\x12\x20' + DIGEST + b'\0')
    yield 'a CID with a byte missing', tagged(b'\x01\x55\x12\x20' + DIGEST[:31])
    yield 'a CID version 2', tagged(b'\x02\x55\x12\x20' + DIGEST)
    yield 'a CID with a version in two bytes', tagged(b'\x81\x00\x55\x12\x20' + DIGEST)
    yield 'a CID of dag-pb', tagged(b'\x01\x70\x12\x20' + DIGEST)
    yield 'a CID of dag-json', tagged(b'\x01\xa9\x02\x12\x20' + DIGEST)
    yield 'a CID without the zero byte', b'\xd8\x2a' + encode(RAW_CID.cid)
    yield 'a CID behind a byte that is not zero', b'\xd8\x2a' + encode(b'\x01' + RAW_CID.cid)
    yield 'an empty CID', b'\xd8\x2a\x40'
    yield 'a CID without a tag', encode(b'\0' + RAW_CID.cid)
