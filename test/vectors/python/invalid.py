"""The invalid vectors: (title, kind, block, error, codec), where a block is bytes or pieces [(bytes, times), …]."""

from dagcbor import DAG_CBOR, RAW, encode, head, link_to, parse_link
from valid import DIRECTORY, RAW_LINK, nested
from writer import pattern

INVALID, UNSUPPORTED, LIMIT = 'InvalidNodeError', 'UnsupportedVersionError', 'LimitExceededError'
RAW_CID, DIR_CID = parse_link(RAW_LINK), parse_link(DIRECTORY)
LINK = encode(RAW_CID)
DIGEST = RAW_CID.cid[4:]


def tagged(cid):
    """Tag 42 on bytes that need not be a CID of the format."""
    return b'\xd8\x2a' + encode(b'\0' + cid)


def raw_list(*items):
    """A list of items, each a value or encoded bytes in a bytearray."""
    return head(4, len(items)) + b''.join(bytes(item) if isinstance(item, bytearray) else encode(item) for item in items)


def raw_map(*pairs):
    return head(5, len(pairs)) + b''.join(bytes(item) if isinstance(item, bytearray) else encode(item) for pair in pairs for item in pair)


def x(data):
    """Encoded bytes, to stand in a list or map as they are."""
    return bytearray(data if isinstance(data, bytes) else bytes.fromhex(data))


def directory(*entries):
    return b'\xa1\x63dir' + raw_list(*entries)


def entry(*items):
    return x(raw_list(*items))


def with_attributes(encoded):
    return directory(entry('a', 'f', b'', 0, x(encoded)))


def with_meta(value):
    return with_attributes(raw_map(('meta', x(raw_map(('k', value))))))


def branches(*items):
    return b'\xa1\x64dirs' + raw_list(*items)


BRANCH = ['a', DIR_CID, 1, 0]


def one_branch(*items):
    return branches(1, [list(items)])


def snapshot(*pairs):
    return b'\xa1\x68snapshot' + raw_map(*pairs)


def snapshot_with(**fields):
    return encode({'snapshot': {'tree': DIR_CID, 'parents': [], 'generation': 0, **fields}})


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


def names():
    for title, name in (('an empty name', ''), ('the name .', '.'), ('the name ..', '..'), ('a slash', 'a/b'), ('a slash alone', '/'), ('a NUL', 'a\0'), ('a NUL alone', '\0'),
                        ('256 bytes', 'n' * 256), ('258 bytes in 86 characters', '\uff5e' * 86), ('256 bytes in 64 astral characters', '\U0001f600' * 64), ('65,536 bytes', 'n' * 65_536)):
        yield title, name


def entries():
    for title, name in names():
        yield f'an entry with {title}', directory([name, 'f', b'', 0])
    yield 'two entries of one name', directory(['a', 'f', b'', 0], ['a', 'f', b'', 0])
    yield 'two entries out of order', directory(['b', 'f', b'', 0], ['a', 'f', b'', 0])
    yield 'a name before its prefix', directory(['ab', 'f', b'', 0], ['a', 'f', b'', 0])
    yield 'names in the order of UTF-16 units', directory(['\U0001f600', 'f', b'', 0], ['\uff5e', 'f', b'', 0])
    yield 'an entry of three items', directory(['a', 'f', b''])
    yield 'an entry of six items', directory(['a', 'f', b'', 0, {'mode': 0}, 0])
    yield 'an entry without items', directory([])
    yield 'an entry that is a map', directory({'name': 'a'})
    yield 'an entry that is a text', directory('a')
    yield 'a name that is a byte string', directory([b'a', 'f', b'', 0])
    for kind in ('', 'x', 'F', 'ff', 'fi'):
        yield f'the kind {kind!r}', directory(['a', kind, b'', 0])
    yield 'a kind that is an integer', directory(['a', 0, b'', 0])
    yield 'content of a file that is a text', directory(['a', 'f', 'text', 4])
    yield 'content of a file that is a list', directory(['a', 'f', [], 0])
    yield 'content of a directory that is bytes', directory(['a', 'd', b'', 0])
    yield 'content of a symbolic link that is bytes', directory(['a', 'l', b'b', 1])
    yield 'content of a symbolic link that is a link', directory(['a', 'l', RAW_CID, 1])
    yield 'a directory that links to a raw block', directory(['a', 'd', RAW_CID, 0])
    yield 'a size one too large', directory(['a', 'f', b'abc', 4])
    yield 'a size one too small', directory(['a', 'f', b'abc', 2])
    yield 'a size of a symbolic link in characters', directory(['a', 'l', '\u00e9', 1])
    yield 'a size that is negative', directory(['a', 'f', b'', -1])
    yield 'a size that is a text', directory(['a', 'f', b'', '0'])
    yield 'a raw block without bytes', directory(['a', 'f', RAW_CID, 0])
    yield 'an index over one byte', directory(['a', 'f', DIR_CID, 1])
    yield 'an index over no byte', directory(['a', 'f', DIR_CID, 0])
    yield 'an empty target', directory(['a', 'l', '', 0])
    yield 'a target with NUL', directory(['a', 'l', 'b\0', 2])
    yield 'a target of 4,097 bytes', directory(['a', 'l', 'x' * 4097, 4097])
    yield 'sizes that add up to 2^53', directory(['a', 'f', DIR_CID, 2**53 - 1], ['b', 'f', b'x', 1])
    yield 'sizes of directories that add up to 2^53', directory(['a', 'd', DIR_CID, 2**53 - 1], ['b', 'd', DIR_CID, 1])
    yield 'empty attributes', directory(['a', 'f', b'', 0, {}])
    yield 'attributes that are a list', directory(['a', 'f', b'', 0, []])
    yield 'an unknown attribute', directory(['a', 'f', b'', 0, {'uid': 0}])
    yield 'an unknown attribute beside a known one', directory(['a', 'f', b'', 0, {'mode': 0, 'owner': 1}])
    yield 'a mode on a symbolic link', directory(['a', 'l', 'b', 1, {'mode': 0o777}])
    yield 'a mode over 0o7777', directory(['a', 'f', b'', 0, {'mode': 0o10000}])
    yield 'a mode below 0', directory(['a', 'f', b'', 0, {'mode': -1}])
    yield 'a mode that is a boolean', directory(['a', 'f', b'', 0, {'mode': True}])
    yield 'an mtime of one item', directory(['a', 'f', b'', 0, {'mtime': [0]}])
    yield 'an mtime of three items', directory(['a', 'f', b'', 0, {'mtime': [0, 0, 0]}])
    yield 'an mtime that is an integer', directory(['a', 'f', b'', 0, {'mtime': 0}])
    yield 'a billion nanoseconds', directory(['a', 'f', b'', 0, {'mtime': [0, 10**9]}])
    yield 'negative nanoseconds', directory(['a', 'f', b'', 0, {'mtime': [0, -1]}])
    yield 'empty meta', directory(['a', 'f', b'', 0, {'meta': {}}])
    yield 'meta that is a list', directory(['a', 'f', b'', 0, {'meta': [1]}])
    yield 'a link in meta', with_meta(RAW_CID)
    yield 'meta of depth 9', directory(['a', 'f', b'', 0, {'meta': {'a': nested(9)['a']}}])
    yield 'meta of depth 9 in maps', directory(['a', 'f', b'', 0, {'meta': {'a': {'a': {'a': {'a': {'a': {'a': {'a': {'a': {}}}}}}}}}}])
    yield 'meta of 4,097 bytes', with_meta(bytes(4097 - 1 - 2 - 3))
    yield 'an entry of 65,537 bytes', directory(['a', 'f', bytes(65_537 - 11), 65_537 - 11])


def nodes():
    yield 'a map without keys', b'\xa0'
    yield 'a map of two keys', raw_map(('dir', []), ('dirs', [1, [BRANCH]]))
    yield 'a map of a known and an unknown key', raw_map(('dir', []), ('dir2', []))
    yield 'a map of one integer key', raw_map((1, []))
    yield 'a map of one byte string key', raw_map((b'dir', []))
    yield 'a list', raw_list([1, RAW_CID])
    for title, value in (('an integer', 0), ('a text', 'dir'), ('a byte string', b'dir'), ('a link', DIR_CID), ('a boolean', True)):
        yield f'a block that is {title}', encode(value)
    yield 'a snapshot', snapshot_with()
    yield 'dir with a map', encode({'dir': {}})
    yield 'dir with an integer', encode({'dir': 0})
    yield 'dirs with a map', encode({'dirs': {}})
    yield 'dirs of one item', branches(1)
    yield 'dirs of three items', branches(1, [BRANCH], 0)
    yield 'dirs without branches', branches(1, [])
    yield 'level 0', branches(0, [BRANCH])
    yield 'level 16', branches(16, [BRANCH])
    yield 'level -1', branches(-1, [BRANCH])
    yield 'a level that is a text', branches('1', [BRANCH])
    for title, name in names():
        yield f'a branch with {title} as its first name', one_branch(name, DIR_CID, 1, 0)
    yield 'a branch of three items', one_branch('a', DIR_CID, 1)
    yield 'a branch of five items', one_branch('a', DIR_CID, 1, 0, 0)
    yield 'a branch that links to a raw block', one_branch('a', RAW_CID, 1, 0)
    yield 'a branch over no entries', one_branch('a', DIR_CID, 0, 0)
    yield 'a branch with a negative count', one_branch('a', DIR_CID, -1, 0)
    yield 'a branch with a negative size', one_branch('a', DIR_CID, 1, -1)
    yield 'a branch with a text as its size', one_branch('a', DIR_CID, 1, '0')
    yield 'a branch without a link', one_branch('a', 'b', 1, 0)
    yield 'two branches of one first name', branches(1, [BRANCH, BRANCH])
    yield 'branches out of order', branches(1, [['b', DIR_CID, 1, 0], BRANCH])
    yield 'branches in the order of UTF-16 units', branches(1, [['\U0001f600', DIR_CID, 1, 0], ['\uff5e', DIR_CID, 1, 0]])
    yield 'counts that add up to 2^53', branches(1, [['a', DIR_CID, 2**53 - 1, 0], ['b', DIR_CID, 1, 0]])
    yield 'sizes of branches that add up to 2^53', branches(1, [['a', DIR_CID, 1, 2**53 - 1], ['b', DIR_CID, 1, 1]])


def indexes():
    part = [1, RAW_CID]
    yield 'an index without parts', raw_list()
    yield 'an index of 1,025 parts', [(head(4, 1025), 1), (encode(part), 1025)]
    yield 'a part without bytes', raw_list(part, [0, RAW_CID])
    yield 'a part with a negative length', raw_list(part, [-1, RAW_CID])
    yield 'a part of one item', raw_list([1])
    yield 'a part of three items', raw_list([1, RAW_CID, 0])
    yield 'a part that is a link', raw_list(RAW_CID)
    yield 'a part with inlined bytes', raw_list([1, b'x'])
    yield 'a part with null', raw_list(x('8201f6'))
    yield 'a part with its items the other way round', raw_list([RAW_CID, 1])
    yield 'raw blocks beside indexes', raw_list(part, [1, DIR_CID])
    yield 'indexes beside raw blocks', raw_list([1, DIR_CID], part)
    yield 'lengths that add up to 2^53', raw_list([2**53 - 1, RAW_CID], part)
    yield 'a length of 2^53', raw_list([2**53, RAW_CID])
    yield 'a map', directory()
    yield 'a byte behind the index', raw_list(part) + b'\0'
    yield 'an index of indefinite length', b'\x9f' + encode(part) + b'\xff'
    for title, link in links():
        yield f'{title} in an index', raw_list(entry(1, x(link)))


def snapshots():
    tree, parents, generation = ('tree', DIR_CID), ('parents', []), ('generation', 0)
    parent = [link_to(DAG_CBOR, bytes([i])) for i in range(17)]
    layout = {'width': 1024, 'chunkBytes': 2**20, 'inlineBytes': 0}
    yield 'a directory', directory()
    yield 'a list', raw_list([1, RAW_CID])
    yield 'a snapshot that is a list', encode({'snapshot': []})
    yield 'a snapshot without keys', encode({'snapshot': {}})
    yield 'a snapshot without a tree', snapshot(parents, generation)
    yield 'a snapshot without parents', snapshot(tree, generation)
    yield 'a snapshot without a generation', snapshot(tree, parents)
    yield 'an unknown field', snapshot_with(author='A')
    yield 'fields out of order', snapshot(parents, tree, generation)
    yield 'a field twice', snapshot(tree, tree, parents, generation)
    yield 'a tree of a raw block', snapshot_with(tree=RAW_CID)
    yield 'a parent of a raw block', snapshot_with(parents=[RAW_CID], generation=1)
    yield 'a parent twice', snapshot_with(parents=[parent[0], parent[1], parent[0]], generation=1)
    yield '17 parents', snapshot_with(parents=parent, generation=1)
    yield 'parents that are a map', snapshot_with(parents={})
    yield 'generation 0 with a parent', snapshot_with(parents=parent[:1])
    yield 'generation 1 without parents', snapshot_with(generation=1)
    yield 'a negative generation', snapshot_with(parents=parent[:1], generation=-1)
    yield 'a generation of 2^53', snapshot_with(parents=parent[:1], generation=2**53)
    yield 'a time of one item', snapshot_with(time=[0])
    yield 'a time of a billion nanoseconds', snapshot_with(time=[0, 10**9])
    yield 'an empty message', snapshot_with(message='')
    yield 'a message of 65,537 bytes', snapshot_with(message='m' * 65_537)
    yield 'a message that begins with U+FEFF', snapshot_with(message='\ufeffm')
    yield 'a message that is bytes', snapshot_with(message=b'm')
    yield 'empty meta of a snapshot', snapshot_with(meta={})
    yield 'meta of a snapshot of 16,385 bytes', snapshot_with(meta={'a': bytes(16_385 - 6)})
    yield 'meta of a snapshot of depth 9', snapshot_with(meta=nested(9))
    yield 'empty attributes of the root', snapshot_with(attributes={})
    yield 'an unknown attribute of the root', snapshot_with(attributes={'uid': 0})
    yield 'meta of the root of 4,097 bytes', snapshot_with(attributes={'meta': {'a': bytes(4097 - 6)}})
    yield 'an empty layout', snapshot_with(layout={})
    for key in layout:
        yield f'a layout without {key}', snapshot_with(layout={k: v for k, v in layout.items() if k != key})
    for title, change in (('an unknown key', {'hash': 'sha2-256'}), ('width 1', {'width': 1}), ('width 1,025', {'width': 1025}), ('chunks of 0 bytes', {'chunkBytes': 0}),
                          ('chunks of 1,048,577 bytes', {'chunkBytes': 2**20 + 1}), ('a negative inline limit', {'inlineBytes': -1}), ('an inline limit of 32,769', {'inlineBytes': 32_769}),
                          ('an inline limit over the size of chunks', {'chunkBytes': 100, 'inlineBytes': 101}), ('a text as its width', {'width': '1024'}), ('what the default has', {'inlineBytes': 2048})):
        yield f'a layout with {title}', snapshot_with(layout={**layout, **change})
    yield 'a byte behind the snapshot', snapshot_with() + b'\0'
    for title, link in links():
        yield f'{title} as the tree', snapshot(('tree', x(link)), parents, generation)


def unknown():
    for key in ('dir2', 'dirs2', 'snapshot2', 'file', '', 'Dir', '\ufeffdir', '__proto__', 'k' * 300):
        for kind in ('directory', 'snapshot'):
            yield f'the unknown type {key[:20]!r} of {len(key)} letters', kind, raw_map((key, []))
    yield 'an unknown type with a value that is not canonical', 'directory', b'\xa1\x64dir2\x9f\xff'
    yield 'an unknown type with null', 'directory', b'\xa1\x64dir2\xf6'


def bombs():
    """Blocks of up to 2 MiB whose claims or depth are out of proportion."""
    mib = 2**21
    yield 'lists nested a million deep', 'directory', [(b'\xa1\x63dir', 1), (b'\x81', 10**6)]
    yield 'lists nested a million deep and ended', 'directory', [(b'\xa1\x63dir', 1), (b'\x81', 10**6), (b'\x80', 1)]
    yield 'maps nested half a million deep', 'directory', [(b'\xa1\x63dir', 1), (b'\xa1\x61a', 5 * 10**5), (b'\xa0', 1)]
    yield 'dir nested in dir', 'directory', [(b'\xa1\x63dir', 4 * 10**5), (b'\x80', 1)]
    yield 'indexes nested in themselves', 'index', [(b'\x81', 2 * 10**6)]
    yield 'tags nested a million deep', 'directory', [(b'\xa1\x63dir\x81\x84\x61a\x61f', 1), (b'\xd8\x2a', 10**6)]
    meta = b'\xa1\x63dir\x81\x85\x61a\x61f\x40\x00\xa1\x64meta'
    yield 'meta nested a million deep in lists', 'directory', [(meta + b'\xa1\x61k', 1), (b'\x81', 10**6)]
    yield 'meta nested half a million deep in maps', 'directory', [(meta, 1), (b'\xa1\x61k', 5 * 10**5)]
    yield 'meta of two million integers in lists of 262,143', 'directory', [(meta + b'\xa1\x61k\x87', 1)] + [(b'\x9a' + (2**18 - 1).to_bytes(4, 'big'), 1), (b'\0', 2**18 - 1)] * 7
    yield 'meta of a million keys', 'directory', [(meta + b'\xba' + (2**18).to_bytes(4, 'big'), 1), (b'\x60\0', 10**6)]
    for size in ('1affffffff', '1b0000000100000000', '1b001fffffffffffff', '1bffffffffffffffff'):
        argument = bytes.fromhex(size)
        for title, major in (('a list', 4), ('a map', 5), ('a byte string', 2), ('a text', 3)):
            claim = bytes([major << 5 | argument[0]]) + argument[1:]
            yield f'{title} that claims {int(size[2:], 16)}', 'directory', [(b'\xa1\x63dir' + (b'' if major == 4 else b'\x81\x84') + (b'' if major != 2 else b'\x61a\x61f') + claim, 1)]
    yield 'a list that claims what two MiB could hold, of nothing', 'directory', [(b'\xa1\x63dir\x9a' + (2**18).to_bytes(4, 'big'), 1), (b'\0', 2**18)]
    yield 'a list of 262,145 entries', 'directory', [(b'\xa1\x63dir\x9a' + (2**18 + 1).to_bytes(4, 'big'), 1), (b'\x80', 2**18 + 1)]
    yield 'a leaf with 196,608 bytes of items', 'directory', directory(*[[name, 'f', bytes(size), size] for name, size in (('a', 65_525), ('b', 65_525), ('c', 65_518), ('d', 0))])
    yield 'a leaf of two MiB', 'directory', [(b'\xa1\x63dir\x9a' + (mib // 8).to_bytes(4, 'big'), 1), (b'\x84\x61a\x61f\x40\x00', mib // 8)]
    yield 'two MiB of parents', 'snapshot', [(b'\xa1\x68snapshot\xa3\x64tree' + encode(DIR_CID) + b'\x67parents\x99\xc0\x00', 1), (encode(DIR_CID), 0xc000)]
    yield 'a message of two MiB', 'snapshot', [(b'\xa1\x68snapshot\xa1\x67message\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'm', 2**20)]
    yield 'a kind of two MiB of control characters', 'directory', [(b'\xa1\x63dir\x81\x84\x61a\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\x01', 2**20)]
    yield 'a name of two MiB', 'directory', [(b'\xa1\x63dir\x81\x84\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\xef\xbb\xbf', 349_525), (b'\0', 1)]


def cases():
    for title, block in cbor():
        yield title, 'directory', block, INVALID, None
    for title, link in links():
        yield f'{title} as content', 'directory', directory(entry('a', 'f', x(link), 40)), INVALID, None
        yield f'{title} as a branch', 'directory', branches(1, x(raw_list(entry('a', x(link), 1, 0)))), INVALID, None
    for title, block in (*entries(), *nodes()):
        yield title, 'directory', block, INVALID, None
    for title, block in indexes():
        yield title, 'index', block, INVALID, None
    for title, block in snapshots():
        yield title, 'snapshot', block, INVALID, None
    yield 'a directory in a raw block', 'directory', directory(), INVALID, RAW
    yield 'an index in a raw block', 'index', raw_list([1, RAW_CID]), INVALID, RAW
    yield 'a snapshot in a raw block', 'snapshot', snapshot_with(), INVALID, RAW
    for title, kind, block in unknown():
        yield title, kind, block, UNSUPPORTED, None
    yield 'a type name of two MiB', 'directory', [(b'\xa1\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\x01', 2**20), (b'\x80', 1)], UNSUPPORTED, None
    for kind in ('directory', 'index', 'snapshot'):
        yield f'a block of 2,097,153 bytes as {kind}', kind, [(b'\xa1\x63dir\x9a\x00\x20\x00\x00', 1), (b'\0', 2**21 - 8)], LIMIT, None
    for title, kind, block in bombs():
        yield title, kind, block, INVALID, None
