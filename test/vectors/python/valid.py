"""The inputs of the valid vectors."""

from dagcbor import DAG_CBOR, RAW, encode, link_to, murmur3
from writer import pattern

RAW_LINK = str(link_to(RAW, pattern(4096)))
DIRECTORY = str(link_to(DAG_CBOR, bytes.fromhex('a16364697280')))
INDEX = str(link_to(DAG_CBOR, encode([[2**20, link_to(RAW, pattern(2**20))], [1, link_to(RAW, pattern(1, 2**20))]])))


def file(name, data='', **attributes):
    return with_attributes({'name': name, 'kind': 'file', 'content': {'bytes': data}, 'size': len(data) // 2}, attributes)


def patterned(name, size):
    return {'name': name, 'kind': 'file', 'content': {'pattern': size}, 'size': size}


def linked(name, cid, size, **attributes):
    return with_attributes({'name': name, 'kind': 'file', 'content': {'link': cid}, 'size': size}, attributes)


def directory(name, size, cid=DIRECTORY, **attributes):
    return with_attributes({'name': name, 'kind': 'directory', 'content': {'link': cid}, 'size': size}, attributes)


def symlink(name, target, **attributes):
    return with_attributes({'name': name, 'kind': 'symlink', 'content': {'target': target}, 'size': len(target.encode())}, attributes)


def with_attributes(entry, attributes):
    return {**entry, 'attributes': attributes} if attributes else entry


def nested(depth):
    """A meta map of this depth."""
    value = []
    for _ in range(depth - 2):
        value = [value]
    return {'a': value}


def leaves():
    """(title, entries) of leaves."""
    largest_meta = {'a': {'$bytes': '00' * (4096 - 1 - 2 - 3)}}
    return [
        ('an empty directory', []),
        ('an empty file', [file('empty')]),
        ('a file of one byte', [file('one', 'ff')]),
        ('a file of one raw block', [linked('raw', RAW_LINK, 4096)]),
        ('a file of one byte in a raw block, as a layout without inlining has it', [linked('raw', RAW_LINK, 1)]),
        ('a file under an index', [linked('large', INDEX, 2**20 + 1)]),
        ('the largest size', [linked('huge', INDEX, 2**53 - 1)]),
        ('an empty directory in a directory', [directory('sub', 0)]),
        ('a symbolic link', [symlink('link', '../target')]),
        ('targets that point anywhere', [symlink('a', '/etc/passwd'), symlink('b', '..'), symlink('c', 'a//b/./c/')]),
        ('a target of 4,096 bytes', [symlink('link', 'x' * 4096)]),
        ('a target that begins with U+FEFF', [symlink('link', '\ufefftarget')]),
        ('every kind in one directory', [directory('a', 12), file('b', '68656c6c6f'), symlink('c', 'b'), linked('d', RAW_LINK, 4096), linked('e', INDEX, 2**20 + 1)]),
        ('the size of a symbolic link is no part of sums', [linked('a', INDEX, 2**53 - 1), symlink('b', 'a')]),
        ('sizes that add up to 2^53-1', [linked('a', INDEX, 2**53 - 2), linked('b', RAW_LINK, 1)]),
        ('names ordered by UTF-8: U+FF5E before U+1F600', [file('\uff5e'), file('\U0001f600')]),
        ('names ordered by UTF-8: U+E000 and U+FFFF before U+10000', [file('\ud7ff'), file('\ue000'), file('\uffff'), file('\U00010000'), file('\U0010ffff')]),
        ('a prefix before what it begins', [file('a'), file('a.txt'), file('ab')]),
        ('upper before lower case', [file('B'), file('a')]),
        ('names of 23, 24 and 255 bytes', [file('n' * 23), file('n' * 24), file('n' * 255)]),
        ('a name of 255 bytes in 85 characters', [file('\uff5e' * 85)]),
        ('a name of 252 bytes in 63 astral characters', [file('\U0001f600' * 63)]),
        ('NFD beside NFC', [file('e\u0301'), file('\u00e9')]),
        ('a leading U+FEFF beside the name without', [file('name'), file('\ufeffname')]),
        ('a name that is U+FEFF', [file('\ufeff')]),
        ('names that resemble unsafe ones', [file(' '), file('. '), file('...'), file('..a'), file('\\'), file('a\\b'), file('\u2028')]),
        ('control characters', [file('\u0001\n\u007f')]),
        ('names that are special in JavaScript', [file('10'), file('9'), file('__proto__'), file('constructor')]),
        ('mode 0', [file('a', mode=0)]),
        ('the highest mode', [file('a', mode=0o7777)]),
        ('modes of 23, 24, 255 and 256', [file('a', mode=23), file('b', mode=24), file('c', mode=255), file('d', mode=256)]),
        ('mtime 0', [file('a', mtime=[0, 0])]),
        ('half a second before 1970', [file('a', mtime=[-1, 500_000_000])]),
        ('mtimes at the widths of an integer', [file('a', mtime=[-24, 0]), file('b', mtime=[-25, 0]), file('c', mtime=[-256, 0]), file('d', mtime=[-257, 0]), file('e', mtime=[2**32 - 1, 0]), file('f', mtime=[2**32, 0])]),
        ('the earliest and the latest mtime', [file('a', mtime=[-(2**53 - 1), 0]), file('b', mtime=[2**53 - 1, 999_999_999])]),
        ('mtime and meta on a symbolic link', [symlink('a', 'b', meta={'k': 'v'}, mtime=[1, 2])]),
        ('all attributes on a directory', [directory('a', 0, meta={'k': 'v'}, mode=0o755, mtime=[1_700_000_000, 123_456_789])]),
        ('every type in meta', [file('a', meta={'false': False, 'true': True, 'text': 'h\u00e9', 'bytes': {'$bytes': '00ff'}, 'int': 7, 'negative': -7, 'list': [1, 'a', [], {}], 'map': {'b': {'$bytes': ''}}})]),
        ('keys of meta ordered by length first', [file('a', meta={'': 0, 'b': 1, 'aa': 2, '\u00e9': 3, '10': 4, '9': 5, '__proto__': 6})]),
        ('keys of meta of 23, 24 and 256 bytes', [file('a', meta={'k' * 23: 1, 'k' * 24: 2, 'k' * 256: 3})]),
        ('the widest integers in meta', [file('a', meta={'a': [2**53 - 1, -(2**53 - 1), 0, -1]})]),
        ('meta of depth 8', [file('a', meta=nested(8))]),
        ('meta of 4,096 bytes', [file('a', meta=largest_meta)]),
        ('an entry of 65,536 bytes', [patterned('a', 65_536 - 1 - 2 - 2 - 3 - 3)]),
        ('1,000 entries', [file(f'{i:04d}') for i in range(1000)]),
    ]


def files():
    """(title, bytes, layout or None) of files."""
    small = {'width': 3, 'chunkBytes': 16, 'inlineBytes': 8}
    bare = {'width': 2, 'chunkBytes': 1, 'inlineBytes': 0}
    rows = [(f'{size:,} bytes', size, None) for size in (0, 1, 2047, 2048, 2049, 2**20 - 1, 2**20, 2**20 + 1, 2**21, 2**21 + 1)]
    rows += [(f'{size} bytes in chunks of 16, width 3', size, small) for size in (8, 9, 16, 17, 32, 48, 49, 144, 145, 200, 432, 433, 1000)]
    rows += [(f'{size} bytes in chunks of 1, width 2, nothing inlined', size, bare) for size in (0, 1, 2, 3, 4, 5, 64, 65)]
    rows += [(f'{size:,} chunks of 1 byte, width 1,024', size, {'width': 1024, 'chunkBytes': 1, 'inlineBytes': 0}) for size in (1023, 1024, 1025, 2048, 2049)]
    # not built by most tests: a gigabyte
    rows += [('1,025 chunks of the default layout', 2**30 + 1, None)]
    return rows


def name_with(prefix, level, accepts):
    """The first of prefix0, prefix1, … whose hash is accepted."""
    return next(name for name in (f'{prefix}{i}' for i in range(10**6)) if accepts(murmur3(name.encode(), level)))


def around_minimum(run_bytes):
    # the second name has a hash that ends any run of 4,096 bytes
    second = name_with('b', 0, lambda h: h < 2**24)
    return [patterned('a', run_bytes - 1 - 2 - 2 - 3 - 3), file(second)]


def around_maximum(run_bytes):
    """A run that the hash never ends, and one entry behind it."""
    entries, total, last = [], 0, 0
    while total < run_bytes:
        left = run_bytes - total
        size = left if left < 4096 else 2048
        name = name_with(f'{len(entries):03d}-', 0, lambda h: not hash_starts(total, last, h))
        entry = patterned(name, size - 1 - (1 + len(name)) - 2 - 3 - 3)
        entries.append(entry)
        total, last = total + size, size
    return entries + [file(name_with('999-', 0, lambda h: not hash_starts(total, last, h)))]


def hash_starts(run_bytes, last_bytes, h):
    return run_bytes >= 4096 and h < 4 * last_bytes * (2 * run_bytes - last_bytes)


def directories():
    """(title, {'entries' or 'rule'}) of directories."""
    rows = [('no entry', {'entries': []}), ('one entry', {'entries': [file('a')]})]
    rows += [(f'a run of {size:,} bytes before a name that ends it from 4,096 on', {'entries': around_minimum(size)}) for size in (4095, 4096, 4097)]
    rows += [(f'a run of {size:,} bytes before a name that ends it at 131,072 only', {'entries': around_maximum(size)}) for size in (131_071, 131_072, 131_073)]
    largest = around_maximum(131_071)
    last = largest.pop()['name']
    rows += [('an entry of 65,536 bytes behind a run of 131,071', {'entries': largest + [patterned(last, 65_536 - 1 - 1 - len(last) - 2 - 3 - 3)]})]
    rows += [(f'{count:,} empty files', {'rule': {'count': count, 'prefix': 'file-', 'digits': 6, 'modulo': 1}}) for count in (200, 201, 1000, 3000)]
    rows += [('two levels of branches over inlined files of every size up to the limit', {'rule': {'count': 8000, 'prefix': 'n' * 240, 'digits': 5, 'modulo': 2049}})]
    rows += [('a leaf is all there is for 40 small files', {'rule': {'count': 40, 'prefix': '', 'digits': 2, 'modulo': 41}})]
    return rows


def trees():
    """(title, entries) of trees; a file has a `pattern`, a symbolic link a `target`, a directory neither."""
    return [
        ('nothing', []),
        ('a directory before a file whose name begins with its own', [{'path': 'a.txt', 'pattern': 1}, {'path': 'a/b', 'pattern': 2}]),
        ('directories in directories', [{'path': '/'.join('abcdefgh'), 'pattern': 3000}, {'path': 'a/b/z', 'pattern': 5}]),
        ('empty directories', [{'path': 'empty'}, {'path': 'with/empty'}]),
        ('files of every form', [{'path': f'f{size}', 'pattern': size} for size in (0, 1, 2048, 2049, 2**20, 2**20 + 1)]),
        ('symbolic links, which no size counts', [{'path': 'a/file', 'pattern': 10}, {'path': 'a/link', 'target': 'file'}, {'path': 'b', 'target': 'a/link'}]),
        ('names in the order of UTF-8', [{'path': f'{name}/f', 'pattern': 1} for name in ('\U0001f600', '\uff5e', '\ufeffa', 'a', 'e\u0301', '\u00e9')]),
        ('attributes on files, directories and symbolic links', [
            {'path': 'd', 'attributes': {'mode': 0o755, 'mtime': [-1, 500_000_000]}},
            {'path': 'd/f', 'pattern': 1, 'attributes': {'meta': {'k': [1, {'$bytes': 'ff'}]}, 'mode': 0o644, 'mtime': [1_700_000_000, 1]}},
            {'path': 'd/l', 'target': 'f', 'attributes': {'mtime': [0, 0]}}]),
        ('a directory of two levels in a directory', [{'path': f'large/{i:05d}', 'pattern': i % 300} for i in range(1200)]),
    ]


def decisions():
    """(level, runBytes, lastItemBytes, nextName) of boundaries."""
    names = ['', 'a', 'ab', 'abc', 'abcd', 'hello', '\uff5e', '\U0001f600', '\ufeffname', 'n' * 255]
    rows = [(level, 40_000, 91, name) for name in names if name for level in (0, 1, 15)]
    for size in (1, 4095, 4096, 4097, 131_071, 131_072, 196_607):
        rows += [(0, size, min(size, 65_536), 'hello'), (1, size, min(size, 60), 'hello')]
    # a name at the very edge: the rule is "less than"
    h = murmur3(b'hello', 0)
    edge = next(s for s in range(4096, 131_072) if h < 4 * 2000 * (2 * s - 2000))
    rows += [(0, edge - 1, 2000, 'hello'), (0, edge, 2000, 'hello')]
    return rows


def snapshots():
    """(title, snapshot)."""
    base = {'tree': DIRECTORY, 'parents': [], 'generation': 0}
    parents = [str(link_to(DAG_CBOR, bytes([i]))) for i in range(16)]
    layout = {'width': 1024, 'chunkBytes': 2**20, 'inlineBytes': 0}
    return [
        ('the least', base),
        ('one parent', {**base, 'parents': parents[:1], 'generation': 1}),
        ('two parents in the order of a merge', {**base, 'parents': [parents[1], parents[0]], 'generation': 8}),
        ('sixteen parents', {**base, 'parents': parents, 'generation': 2**53 - 1}),
        ('a time', {**base, 'time': [1_700_000_000, 5]}),
        ('a time before 1970', {**base, 'time': [-1, 999_999_999]}),
        ('attributes of the root', {**base, 'attributes': {'meta': {'k': 1}, 'mode': 0o1777, 'mtime': [3, 4]}}),
        ('a layout that differs in inlining', {**base, 'layout': layout}),
        ('a layout that differs in the size of chunks', {**base, 'layout': {**layout, 'inlineBytes': 2048, 'chunkBytes': 2**18}}),
        ('a layout that differs in width', {**base, 'layout': {**layout, 'inlineBytes': 2048, 'width': 174}}),
        ('the smallest layout', {**base, 'layout': {'width': 2, 'chunkBytes': 1, 'inlineBytes': 1}}),
        ('the largest inline limit', {**base, 'layout': {**layout, 'inlineBytes': 32_768}}),
        ('a message', {**base, 'message': 'first import\n\nwith a body, \u00e9\U0001f600'}),
        ('a message of 65,536 bytes', {**base, 'message': 'm' * 65_536}),
        ('an author in meta', {**base, 'meta': {'author': 'A <a@example.org>'}}),
        ('meta of 16,384 bytes', {**base, 'meta': {'a': {'$bytes': '00' * (16_384 - 1 - 2 - 3)}}}),
        ('every field', {'meta': {'author': 'A'}, 'time': [1, 2], 'tree': DIRECTORY, 'layout': layout, 'message': 'm', 'parents': parents[:3], 'attributes': {'mode': 0o755}, 'generation': 3}),
    ]


def roots():
    """(title, root record)."""
    tree, previous, snapshot = (str(link_to(DAG_CBOR, bytes([i]))) for i in range(3))
    layout = {'width': 1024, 'chunkBytes': 2**20, 'inlineBytes': 0}
    return [
        ('the least', {'tree': tree}),
        ('the tree before', {'tree': tree, 'previous': previous}),
        ('the tree before, which is the tree', {'tree': tree, 'previous': tree}),
        ('the last snapshot', {'tree': tree, 'snapshot': snapshot}),
        ('a layout', {'tree': tree, 'layout': layout}),
        ('every field', {'tree': tree, 'layout': layout, 'previous': previous, 'snapshot': snapshot}),
    ]
