"""A reader: says whether a block is a node of the format, and refuses it with the error's name where it is not."""

from dagcbor import DAG_CBOR, MAX_INTEGER, RAW, Decoder, InvalidNode, LimitExceeded, Link, UnsupportedVersion, decode, encode


MAP_HEADS = [bytes([head]) for head in range(0xa0, 0xc0)]


def require(condition, reason):
    if not condition:
        raise InvalidNode(reason)


def is_integer(value, low, high):
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def is_link(value, codec=None):
    return isinstance(value, Link) and codec in (None, value.codec)


def read(kind, block, codec=DAG_CBOR):
    """Reads a block as a 'directory', an 'index' or a 'snapshot', or other bytes as a 'root' record."""
    if len(block) > 2**21:
        raise LimitExceeded('a block over 2 MiB')
    require(codec == DAG_CBOR, 'a node is a dag-cbor block')
    if kind == 'index' and block[:1] not in MAP_HEADS:
        return read_index(decode(block))
    key = node_key(block, ('root',) if kind == 'root' else ('dir', 'dirs', 'snapshot'))
    require(kind != 'index', 'no index')
    if kind == 'root':
        return read_root(decode(block)['root'])
    if kind == 'snapshot':
        require(key == 'snapshot', 'no snapshot')
        return read_snapshot(decode(block)['snapshot'])
    require(key in ('dir', 'dirs'), 'no directory')
    value = decode(block)[key]
    return read_leaf(value) if key == 'dir' else read_branches(value)


def node_key(block, known):
    # the key alone is looked at first: what stands below an unknown one may follow other rules
    require(block[:1] == b'\xa1', 'no map of one key')
    decoder = Decoder(block)
    decoder.head()
    key = decoder.value()
    require(isinstance(key, str), 'a key is no text')
    if key not in known:
        raise UnsupportedVersion(key)
    return key


def check_text(text):
    require(isinstance(text, str) and not text.startswith('\ufeff'), 'no text, or it begins with U+FEFF')


def check_name(name):
    require(isinstance(name, str), 'a name is no text')
    require(1 <= len(name.encode()) <= 255, 'a name has 1 to 255 bytes')
    require(name not in ('.', '..') and '/' not in name and '\0' not in name, 'an unsafe name')


def check_order(names):
    utf8 = [name.encode() for name in names]
    require(all(a < b for a, b in zip(utf8, utf8[1:])), 'names are out of order')


def check_items(items):
    require(sum(len(encode(item)) for item in items) <= 196_607, 'more bytes of items than a run can have')


def read_leaf(entries):
    require(isinstance(entries, list), 'dir is no list')
    check_items(entries)
    for entry in entries:
        check_entry(entry)
    check_order([entry[0] for entry in entries])
    require(sum(entry[3] for entry in entries if entry[1] != 'l') <= MAX_INTEGER, 'sizes add up to too much')
    return entries


def check_entry(entry):
    require(isinstance(entry, list) and len(entry) in (4, 5), 'an entry has 4 or 5 items')
    require(len(encode(entry)) <= 65_536, 'an entry has at most 65,536 bytes')
    name, kind, content, size = entry[:4]
    check_name(name)
    require(is_integer(size, 0, MAX_INTEGER), 'a size is an integer')
    require(kind in ('f', 'd', 'l') and isinstance(kind, str), 'an unknown kind')
    if kind == 'd':
        require(is_link(content, DAG_CBOR), 'a directory is a link to dag-cbor')
    elif kind == 'l':
        require(isinstance(content, str) and 1 <= len(content.encode()) <= 4096 and '\0' not in content, 'a target')
        require(len(content.encode()) == size, 'size of a target')
    elif isinstance(content, bytes):
        require(len(content) == size, 'size of inlined bytes')
    else:
        require(is_link(content), 'content of a file')
        require(size >= (1 if content.codec == RAW else 2), 'size of linked bytes')
    if len(entry) == 5:
        check_attributes(entry[4], kind == 'l')


def check_attributes(attributes, of_link=False):
    require(isinstance(attributes, dict) and len(attributes) > 0, 'attributes are a map that is not empty')
    require(set(attributes) <= {'meta', 'mode', 'mtime'}, 'an unknown attribute')
    if 'mode' in attributes:
        require(not of_link and is_integer(attributes['mode'], 0, 0o7777), 'mode')
    if 'mtime' in attributes:
        check_time(attributes['mtime'])
    if 'meta' in attributes:
        check_meta(attributes['meta'], 4096)


def check_time(time):
    require(isinstance(time, list) and len(time) == 2, 'a time has two items')
    require(is_integer(time[0], -MAX_INTEGER, MAX_INTEGER) and is_integer(time[1], 0, 999_999_999), 'items of a time')


def check_meta(meta, limit):
    require(isinstance(meta, dict) and len(meta) > 0, 'meta is a map that is not empty')
    require(len(encode(meta)) <= limit, 'meta is too long')
    check_meta_value(meta, 1)


def check_meta_value(value, depth):
    require(not isinstance(value, Link), 'meta holds no links')
    if isinstance(value, str):
        check_text(value)
    if isinstance(value, (list, dict)):
        require(depth <= 8, 'meta is nested too deep')
        for item in value.values() if isinstance(value, dict) else value:
            check_meta_value(item, depth + 1)


def read_branches(value):
    require(isinstance(value, list) and len(value) == 2, 'dirs has two items')
    level, branches = value
    require(is_integer(level, 1, 15), 'a level is 1 to 15')
    require(isinstance(branches, list) and len(branches) > 0, 'no branches')
    check_items(branches)
    for branch in branches:
        require(isinstance(branch, list) and len(branch) == 4, 'a branch has four items')
        check_name(branch[0])
        require(is_link(branch[1], DAG_CBOR), 'a branch links to dag-cbor')
        require(is_integer(branch[2], 1, MAX_INTEGER) and is_integer(branch[3], 0, MAX_INTEGER), 'count and size')
    check_order([branch[0] for branch in branches])
    require(all(sum(branch[i] for branch in branches) <= MAX_INTEGER for i in (2, 3)), 'sums are too large')
    return value


def read_index(parts):
    require(isinstance(parts, list) and 1 <= len(parts) <= 1024, 'an index has 1 to 1,024 parts')
    for part in parts:
        require(isinstance(part, list) and len(part) == 2, 'a part has two items')
        require(is_integer(part[0], 1, MAX_INTEGER) and is_link(part[1]), 'a part')
    require(len({part[1].codec for part in parts}) == 1, 'an index mixes levels')
    require(sum(part[0] for part in parts) <= MAX_INTEGER, 'lengths add up to too much')
    return parts


def read_snapshot(value):
    known = {'meta', 'time', 'tree', 'layout', 'message', 'parents', 'attributes', 'generation'}
    require(isinstance(value, dict) and set(value) <= known, 'an unknown key of a snapshot')
    require({'tree', 'parents', 'generation'} <= set(value), 'a snapshot lacks a key')
    require(is_link(value['tree'], DAG_CBOR), 'tree')
    parents, generation = value['parents'], value['generation']
    require(isinstance(parents, list) and all(is_link(parent, DAG_CBOR) for parent in parents), 'parents')
    require(len(parents) <= 16 and len({parent.cid for parent in parents}) == len(parents), 'at most 16, each once')
    require(is_integer(generation, 0, MAX_INTEGER) and (generation == 0) == (parents == []), 'generation')
    if 'time' in value:
        check_time(value['time'])
    if 'attributes' in value:
        check_attributes(value['attributes'])
    if 'meta' in value:
        check_meta(value['meta'], 16_384)
    if 'message' in value:
        check_text(value['message'])
        require(1 <= len(value['message'].encode()) <= 65_536, 'length of the message')
    if 'layout' in value:
        check_layout(value['layout'])
    return value


def check_layout(layout):
    require(isinstance(layout, dict) and set(layout) == {'width', 'chunkBytes', 'inlineBytes'}, 'keys of a layout')
    width, chunk, inline = layout['width'], layout['chunkBytes'], layout['inlineBytes']
    require(is_integer(width, 2, 1024) and is_integer(chunk, 1, 2**20), 'width and chunkBytes')
    require(is_integer(inline, 0, min(32_768, chunk)), 'inlineBytes')
    require((width, chunk, inline) != (1024, 2**20, 2048), 'the default layout is not written')


def read_root(value):
    require(isinstance(value, dict) and set(value) <= {'tree', 'layout', 'previous', 'snapshot'}, 'an unknown key of a root record')
    require('tree' in value, 'a root record lacks a tree')
    for key in ('tree', 'previous', 'snapshot'):
        require(key not in value or is_link(value[key], DAG_CBOR), key)
    if 'layout' in value:
        check_layout(value['layout'])
    return value
