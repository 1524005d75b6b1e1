"""A writer: files and directories to blocks."""

from dagcbor import DAG_CBOR, RAW, encode, head, link_to, murmur3

DAGFS_1 = {'width': 1024, 'chunkBytes': 2**20, 'inlineBytes': 2048}
PERIOD = bytes(range(251))


def pattern(length, start=0):
    """`length` bytes from position `start` on, where byte i is i % 251."""
    shift = start % 251
    return (PERIOD * ((shift + length) // 251 + 1))[shift:shift + length]


def leaf(entries):
    return encode({'dir': entries})


def block(data, codec=DAG_CBOR):
    return link_to(codec, data), data


def write_file(length, layout):
    """Stores a pattern: (content, index blocks with children first, number of raw blocks)."""
    if length == 0 or length <= layout['inlineBytes']:
        return pattern(length), [], 0
    chunk = layout['chunkBytes']
    known = {}
    parts = []
    for start in range(0, length, chunk):
        size = min(chunk, length - start)
        # the bytes of a chunk depend on where it starts modulo 251 alone, so that large files cost 251 hashes
        key = (start % 251, size)
        if key not in known:
            known[key] = link_to(RAW, pattern(size, start))
        parts.append([size, known[key]])
    chunks = len(parts)
    if chunks == 1:
        return parts[0][1], [], 1
    # levels[0] holds the nodes over chunks, the last level the root
    levels = []
    while len(parts) > 1 or not levels:
        groups = [parts[i:i + layout['width']] for i in range(0, len(parts), layout['width'])]
        levels.append([block(encode(group)) for group in groups])
        parts = [[sum(part[0] for part in group), cid] for group, (cid, _) in zip(groups, levels[-1])]
    return levels[-1][0][0], [node for level in levels for node in level], chunks


def starts_run(level, run_bytes, last_bytes, next_name):
    if run_bytes >= 131_072:
        return True
    return run_bytes >= 4096 and murmur3(next_name.encode(), level) < 4 * last_bytes * (2 * run_bytes - last_bytes)


def cut(level, items):
    """Cuts items (name, encoded, count, size) into runs."""
    runs, run, run_bytes = [], [], 0
    for item in items:
        if run and starts_run(level, run_bytes, len(run[-1][1]), item[0]):
            runs.append(run)
            run, run_bytes = [], 0
        run.append(item)
        run_bytes += len(item[1])
    return runs + [run] if run else runs


def listed(items):
    return head(4, len(items)) + b''.join(item[1] for item in items)


def write_tree(rows, layout=DAGFS_1):
    """Stores rows (path, kind, value, attributes or None): (root, size, paths in the order of a walk).

    The value of a file is the size of its pattern, that of a symbolic link its target. Directories on the way are made.
    """
    children = {}
    for path, kind, value, attributes in rows:
        name, _, rest = path.partition('/')
        child = children.setdefault(name, {'kind': 'd', 'value': None, 'attributes': None, 'rows': []})
        if rest:
            child['rows'].append((rest, kind, value, attributes))
        else:
            child.update(kind=kind, value=value, attributes=attributes)
    entries, walked = [], []
    for name in sorted(children, key=str.encode):
        child = children[name]
        walked.append(name)
        if child['kind'] == 'd':
            content, size, below = write_tree(child['rows'], layout)
            walked += [f'{name}/{path}' for path in below]
        elif child['kind'] == 'l':
            content, size = child['value'], len(child['value'].encode())
        else:
            content, size = write_file(child['value'], layout)[0], child['value']
        tail = [child['attributes']] if child['attributes'] else []
        entries.append([name, child['kind'], content, size, *tail])
    return write_directory(entries)[-1][0][0], sum(entry[3] for entry in entries if entry[1] != 'l'), walked


def write_directory(entries):
    """Stores entries that are in order: the blocks of every level, from the leaves up to the root."""
    if not entries:
        return [[block(leaf([]))]]
    items = [(entry[0], encode(entry), 1, 0 if entry[1] == 'l' else entry[3]) for entry in entries]
    levels = []
    while not levels or len(levels[-1]) > 1:
        level = len(levels)
        runs = cut(level, items)
        items, nodes = [], []
        for run in runs:
            body = b'\xa1' + (encode('dir') + listed(run) if level == 0 else encode('dirs') + b'\x82' + encode(level) + listed(run))
            nodes.append(block(body))
            count, size = sum(item[2] for item in run), sum(item[3] for item in run)
            items.append((run[0][0], encode([run[0][0], nodes[-1][0], count, size]), count, size))
        levels.append(nodes)
    return levels
