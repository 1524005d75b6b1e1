"""An implementation of the format that shares no code with the package: written from src/codec/FORMAT.md.

    python3 test/vectors/independent.py generate   writes the vectors
    python3 test/vectors/independent.py check      makes every valid one again, and refuses every invalid one
    python3 test/vectors/independent.py judge      reads lines `kind hex`, answers `ok` or the name of the error

Python 3.9 or newer, standard library alone.
"""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE / 'python'))

import invalid  # noqa: E402
import notation  # noqa: E402
import valid  # noqa: E402
from dagcbor import DAG_CBOR, InvalidNode, LimitExceeded, UnsupportedVersion, encode, murmur3  # noqa: E402
from reader import read  # noqa: E402
from writer import DAGFS_1, block, leaf, starts_run, write_directory, write_file, write_tree  # noqa: E402

# larger blocks are given by their CID alone
MAX_HEX_BYTES = 8192


def with_block(vector, data):
    cid, _ = block(data)
    return {**vector, 'cid': str(cid), **({'hex': data.hex()} if len(data) <= MAX_HEX_BYTES else {'bytes': len(data)})}


def make_entries(vector):
    return with_block({'title': vector['title'], 'entries': vector['entries']}, leaf(notation.entries(vector)))


def make_snapshot(vector):
    data = encode({'snapshot': notation.snapshot(vector['snapshot'])})
    return with_block({'title': vector['title'], 'snapshot': vector['snapshot']}, data)


def make_root(vector):
    data = encode({'root': notation.root(vector['root'])})
    return {'title': vector['title'], 'root': vector['root'], 'hex': data.hex()}


def make_file(vector):
    layout = {'layout': vector['layout']} if 'layout' in vector else {}
    content, indexes, raw_blocks = write_file(vector['bytes'], vector.get('layout', DAGFS_1))
    return {
        'title': vector['title'], 'bytes': vector['bytes'], **layout,
        'content': notation.content_notation(content), 'rawBlocks': raw_blocks,
        'indexes': [{'cid': str(cid), **({'hex': data.hex()} if len(data) <= 300 else {'bytes': len(data)})} for cid, data in indexes],
    }


def make_directory(vector):
    rows = notation.entries(vector)
    levels = write_directory(rows)
    return {
        'title': vector['title'], **{key: vector[key] for key in ('entries', 'rule') if key in vector},
        'root': str(levels[-1][0][0]), 'count': len(rows), 'size': sum(row[3] for row in rows if row[1] != 'l'),
        'levels': [{'blocks': len(level), 'cids': hashlib.sha256(b''.join(cid.cid for cid, _ in level)).hexdigest()} for level in levels],
    }


def make_tree(vector):
    rows = [tree_row(**entry) for entry in vector['entries']]
    root, size, walked = write_tree(rows)
    return {'title': vector['title'], 'entries': vector['entries'], 'root': str(root), 'size': size, 'walk': walked}


def tree_row(path, pattern=None, target=None, attributes=None):
    value = pattern if target is None else target
    return path, 'l' if target is not None else 'd' if pattern is None else 'f', value, attributes and notation.attributes(attributes)


def make_decision(vector):
    level, run_bytes, last_bytes, name = (vector[key] for key in ('level', 'runBytes', 'lastItemBytes', 'nextName'))
    return {'level': level, 'runBytes': run_bytes, 'lastItemBytes': last_bytes, 'nextName': name,
            'hash': murmur3(name.encode(), level), 'startsRun': starts_run(level, run_bytes, last_bytes, name)}


MAKERS = {'entries': make_entries, 'files': make_file, 'directories': make_directory, 'trees': make_tree, 'boundaries': make_decision, 'snapshots': make_snapshot, 'roots': make_root}


def inputs():
    return {
        'entries': [{'title': title, 'entries': entries} for title, entries in valid.leaves()],
        'files': [{'title': title, 'bytes': size, **({'layout': layout} if layout else {})} for title, size, layout in valid.files()],
        'directories': [{'title': title, **source} for title, source in valid.directories()],
        'trees': [{'title': title, 'entries': entries} for title, entries in valid.trees()],
        'boundaries': [dict(zip(('level', 'runBytes', 'lastItemBytes', 'nextName'), row)) for row in valid.decisions()],
        'snapshots': [{'title': title, 'snapshot': snapshot} for title, snapshot in valid.snapshots()],
        'roots': [{'title': title, 'root': root} for title, root in valid.roots()],
    }


def make_invalid():
    for title, kind, data, error, codec in invalid.cases():
        body = {'hex': data.hex()} if isinstance(data, bytes) and len(data) <= 256 else {'pieces': pieces(data)}
        yield {'title': title, 'kind': kind, 'error': error, **({'codec': codec} if codec else {}), **body}


def pieces(data):
    if isinstance(data, list):
        return [[piece.hex(), times] for piece, times in data]
    # a run of one byte is what makes these blocks large
    result = []
    for value in data:
        if result and result[-1][0] == f'{value:02x}':
            result[-1][1] += 1
        else:
            result.append([f'{value:02x}', 1])
    return join_short(result)


def join_short(runs):
    result = []
    for piece, times in runs:
        if times < 16 and result and result[-1][1] == 1:
            result[-1][0] += piece * times
        else:
            result.append([piece * times, 1] if times < 16 else [piece, times])
    return result


def generate():
    made = {name: [MAKERS[name](vector) for vector in vectors] for name, vectors in inputs().items()}
    made['invalid'] = list(make_invalid())
    for name, vectors in made.items():
        lines = ',\n'.join('  ' + json.dumps(vector, ensure_ascii=True) for vector in vectors)
        write_if_changed(HERE / f'{name}.json', f'[\n{lines}\n]\n')
    # browsers load the vectors as modules: imports of JSON are not carried by every tool on the way
    for name in made:
        text = json.dumps(json.loads((HERE / f'{name}.json').read_text()), ensure_ascii=True, separators=(',', ':'))
        quoted = text.replace('\\', '\\\\').replace("'", "\\'")
        write_if_changed(HERE / 'modules' / f'{name}.ts', f"// made of {name}.json by independent.py\nexport const {name} = '{quoted}'\n")


def write_if_changed(path, text):
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def refusal(kind, data, codec):
    """The name of the error that a block is refused with, or None."""
    try:
        read(kind, data, codec)
    except (InvalidNode, UnsupportedVersion, LimitExceeded) as error:
        return error.name
    return None


def check():
    faults = []
    done = 0

    def expect(condition, title):
        nonlocal done
        done += 1
        if not condition:
            faults.append(title)

    for name, make in MAKERS.items():
        for vector in json.loads((HERE / f'{name}.json').read_text()):
            expect(make(vector) == vector, f'{name}: {vector.get("title", vector)}')
    for kind, name in (('directory', 'entries'), ('snapshot', 'snapshots'), ('root', 'roots')):
        for vector in json.loads((HERE / f'{name}.json').read_text()):
            if 'hex' in vector:
                data = bytes.fromhex(vector['hex'])
                expect(refusal(kind, data, DAG_CBOR) is None, f'accepts {vector["title"]}')
                expect(refusal(kind, data + b'\0', DAG_CBOR) == 'InvalidNodeError', f'a byte behind {vector["title"]}')
                ends = range(len(data)) if len(data) <= 1024 else range(0, len(data), 61)
                expect(all(refusal(kind, data[:end], DAG_CBOR) == 'InvalidNodeError' for end in ends), f'prefixes of {vector["title"]}')
    for vector in json.loads((HERE / 'invalid.json').read_text()):
        error = refusal(vector['kind'], notation.bytes_of(vector), vector.get('codec', DAG_CBOR))
        expect(error == vector['error'], f'{vector["title"]}: {error}, not {vector["error"]}')

    for fault in faults:
        print(f'not so: {fault}')
    print(f'{done - len(faults)} passed, {len(faults)} failed')
    return 1 if faults else 0


def judge():
    for line in sys.stdin:
        kind, _, data = line.strip().partition(' ')
        print(refusal(kind, bytes.fromhex(data), DAG_CBOR) or 'ok')


if __name__ == '__main__':
    commands = {'generate': generate, 'check': check, 'judge': judge}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    sys.exit(commands[sys.argv[1]]())
