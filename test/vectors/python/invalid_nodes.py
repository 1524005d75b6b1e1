"""Blocks that are canonical and no nodes of the format: (title, block)."""

from dagcbor import DAG_CBOR, encode, head, link_to
from invalid_cbor import links
from parts import BRANCH, DIR_CID, RAW_CID, branches, directory, one_branch, raw_list, raw_map, snapshot, snapshot_with, with_meta, x, entry
from valid import nested


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
    yield 'a map of no key', b'\xa0'
    yield 'a map of one key that is no text', b'\xa1\x01\x80'
    yield 'a map of two keys', raw_map(('a', []), ('b', []))
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
    yield 'the fields of a snapshot under dir', encode({'dir': {'tree': DIR_CID, 'parents': [], 'generation': 0}})
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
    for title, change in (('an unknown key', {'hash': 'sha2-256'}), ('an unknown number', {'depth': 1}), ('width 1', {'width': 1}), ('width 1,025', {'width': 1025}), ('chunks of 0 bytes', {'chunkBytes': 0}),
                          ('chunks of 1,048,577 bytes', {'chunkBytes': 2**20 + 1}), ('a negative inline limit', {'inlineBytes': -1}), ('an inline limit of 32,769', {'inlineBytes': 32_769}),
                          ('an inline limit over the size of chunks', {'chunkBytes': 100, 'inlineBytes': 101}), ('a text as its width', {'width': '1024'}), ('what the default has', {'inlineBytes': 2048})):
        yield f'a layout with {title}', snapshot_with(layout={**layout, **change})
    yield 'a byte behind the snapshot', snapshot_with() + b'\0'
    for title, link in links():
        yield f'{title} as the tree', snapshot(('tree', x(link)), parents, generation)


def roots():
    layout = {'width': 1024, 'chunkBytes': 2**20, 'inlineBytes': 0}

    def root(*fields):
        return raw_map(('root', x(raw_map(*fields))))

    tree = ('tree', DIR_CID)
    yield 'a list', raw_list([1, RAW_CID])
    yield 'two keys', raw_map(('root', x(raw_map(tree))), ('roots', 1))
    yield 'a record that is a link', encode({'root': DIR_CID})
    yield 'a record without keys', encode({'root': {}})
    yield 'a record without a tree', root(('previous', DIR_CID))
    yield 'an unknown field of a record', root(tree, ('author', 'A'))
    yield 'fields of a record out of order', root(('previous', DIR_CID), tree)
    yield 'a field of a record twice', root(tree, tree)
    for key in ('tree', 'previous', 'snapshot'):
        fields = {'tree': DIR_CID, key: RAW_CID}
        yield f'a {key} of a raw block', root(*fields.items())
        fields[key] = 'text'
        yield f'a {key} that is text', root(*fields.items())
    yield 'a layout of a record with what the default has', root(tree, ('layout', {**layout, 'inlineBytes': 2048}))
    yield 'a layout of a record without width', root(tree, ('layout', {'chunkBytes': 2**20, 'inlineBytes': 0}))
    yield 'a byte behind the record', root(tree) + b'\0'
    for title, link in links():
        yield f'{title} as the tree of a record', root(('tree', x(link)))
