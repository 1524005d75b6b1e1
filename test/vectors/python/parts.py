"""Parts that invalid blocks are made of: values, or bytes that are encoded already."""

from dagcbor import encode, head, parse_link
from valid import DIRECTORY, RAW_LINK

RAW_CID, DIR_CID = parse_link(RAW_LINK), parse_link(DIRECTORY)
LINK = encode(RAW_CID)
DIGEST = RAW_CID.cid[4:]
BRANCH = ['a', DIR_CID, 1, 0]


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


def one_branch(*items):
    return branches(1, [list(items)])


def snapshot(*pairs):
    return b'\xa1\x68snapshot' + raw_map(*pairs)


def snapshot_with(**fields):
    return encode({'snapshot': {'tree': DIR_CID, 'parents': [], 'generation': 0, **fields}})
