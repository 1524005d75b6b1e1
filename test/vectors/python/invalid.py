"""The invalid vectors: (title, kind, block, error, codec), where a block is bytes or pieces [(bytes, times), …]."""

from bombs import bombs
from dagcbor import RAW
from invalid_cbor import cbor, links
from invalid_nodes import entries, indexes, nodes, roots, snapshots
from parts import RAW_CID, branches, directory, entry, raw_list, raw_map, snapshot_with, x

INVALID, UNSUPPORTED, LIMIT = 'InvalidNodeError', 'UnsupportedVersionError', 'LimitExceededError'


def unknown():
    for key in ('dir2', 'dirs2', 'snapshot2', 'file', '', 'Dir', '\ufeffdir', '__proto__', 'k' * 300):
        for kind in ('directory', 'index', 'snapshot'):
            yield f'the unknown type {key[:20]!r} of {len(key)} letters', kind, raw_map((key, []))
    yield 'an unknown type with a value that is not canonical', 'directory', b'\xa1\x64dir2\x9f\xff'
    yield 'an unknown type with null', 'directory', b'\xa1\x64dir2\xf6'
    yield 'an unknown type with null', 'index', b'\xa1\x65file2\xf6'


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
    for title, record in roots():
        yield title, 'root', record, INVALID, None
    yield 'a directory in a raw block', 'directory', directory(), INVALID, RAW
    yield 'an index in a raw block', 'index', raw_list([1, RAW_CID]), INVALID, RAW
    yield 'a snapshot in a raw block', 'snapshot', snapshot_with(), INVALID, RAW
    for title, kind, block in unknown():
        yield title, kind, block, UNSUPPORTED, None
    for key in ('root2', 'dir', 'snapshot', ''):
        yield f'the unknown record {key!r}', 'root', raw_map((key, {})), UNSUPPORTED, None
    yield 'a type name of two MiB', 'directory', [(b'\xa1\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\x01', 2**20), (b'\x80', 1)], UNSUPPORTED, None
    for kind in ('directory', 'index', 'snapshot', 'root'):
        yield f'a block of 2,097,153 bytes as {kind}', kind, [(b'\xa1\x63dir\x9a\x00\x20\x00\x00', 1), (b'\0', 2**21 - 8)], LIMIT, None
    for title, kind, block in bombs():
        yield title, kind, block, INVALID, None
