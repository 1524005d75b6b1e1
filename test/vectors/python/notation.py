"""The notation of the vectors, to and from values."""

from dagcbor import Link, parse_link
from writer import pattern

KINDS = {'file': 'f', 'directory': 'd', 'symlink': 'l'}


def content(notation):
    (form, value), = notation.items()
    return {'bytes': bytes.fromhex, 'pattern': pattern, 'link': parse_link, 'target': str}[form](value)


def entry(notation):
    kind, value = KINDS[notation['kind']], content(notation['content'])
    result = [notation['name'], kind, value, notation['size']]
    return result + [attributes(notation['attributes'])] if 'attributes' in notation else result


def attributes(notation):
    return {key: meta(value) if key == 'meta' else value for key, value in notation.items()}


def meta(value):
    if isinstance(value, dict):
        if set(value) == {'$bytes'}:
            return bytes.fromhex(value['$bytes'])
        return {key: meta(item) for key, item in value.items()}
    return [meta(item) for item in value] if isinstance(value, list) else value


def snapshot(notation):
    result = dict(notation)
    result['tree'] = parse_link(notation['tree'])
    result['parents'] = [parse_link(parent) for parent in notation['parents']]
    if 'meta' in notation:
        result['meta'] = meta(notation['meta'])
    if 'attributes' in notation:
        result['attributes'] = attributes(notation['attributes'])
    return result


def root(notation):
    return {key: value if key == 'layout' else parse_link(value) for key, value in notation.items()}


def rule(count, prefix, digits, modulo):
    for i in range(count):
        yield [f'{prefix}{i:0{digits}d}', 'f', pattern(i % modulo), i % modulo]


def entries(vector):
    return list(rule(**vector['rule'])) if 'rule' in vector else [entry(item) for item in vector['entries']]


def bytes_of(vector):
    if 'hex' in vector:
        return bytes.fromhex(vector['hex'])
    return b''.join(bytes.fromhex(piece) * times for piece, times in vector['pieces'])


def content_notation(value):
    return {'link': str(value)} if isinstance(value, Link) else {'bytes': value.hex()}
