"""Canonical dag-cbor, CIDs and murmur3, from src/codec/FORMAT.md alone and with the standard library alone."""

import base64
import hashlib

MAX_INTEGER = 2**53 - 1
# nodes of the format are at most 12 deep, so what is deeper is invalid whatever it is
MAX_DEPTH = 16
RAW = 0x55
DAG_CBOR = 0x71


class InvalidNode(Exception):
    name = 'InvalidNodeError'


class UnsupportedVersion(Exception):
    name = 'UnsupportedVersionError'


class LimitExceeded(Exception):
    name = 'LimitExceededError'


class Link:
    """A CID inside a node; `cid` is its 36 bytes."""

    def __init__(self, cid):
        if len(cid) != 36 or cid[0] != 1 or cid[1] not in (RAW, DAG_CBOR) or cid[2:4] != b'\x12\x20':
            raise InvalidNode('not a CID of the format')
        self.cid = cid

    @property
    def codec(self):
        return self.cid[1]

    def __str__(self):
        return 'b' + base64.b32encode(self.cid).decode().lower().rstrip('=')


def link_to(codec, block):
    return Link(bytes([1, codec, 0x12, 0x20]) + hashlib.sha256(block).digest())


def parse_link(text):
    base32 = text[1:].upper()
    return Link(base64.b32decode(base32 + '=' * (-len(base32) % 8)))


def head(major, argument):
    for info, width in ((None, 0), (24, 1), (25, 2), (26, 4), (27, 8)):
        if info is None:
            if argument < 24:
                return bytes([major << 5 | argument])
        elif argument < 256**width:
            return bytes([major << 5 | info]) + argument.to_bytes(width, 'big')
    raise ValueError('argument is too large')


def encode(value):
    if isinstance(value, bool):
        return b'\xf5' if value else b'\xf4'
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        utf8 = value.encode()
        return head(3, len(utf8)) + utf8
    if isinstance(value, (list, tuple)):
        return head(4, len(value)) + b''.join(map(encode, value))
    if isinstance(value, dict):
        pairs = sorted((len(key.encode()), key.encode(), key) for key in value)
        return head(5, len(value)) + b''.join(encode(key) + encode(value[key]) for _, _, key in pairs)
    if isinstance(value, Link):
        return b'\xd8\x2a\x58\x25\x00' + value.cid
    raise TypeError(type(value))


class Decoder:
    """Makes values of canonical bytes; knows nothing of the schema."""

    def __init__(self, block):
        self.block = block
        self.at = 0

    def take(self, length):
        if length > len(self.block) - self.at:
            raise InvalidNode('ends too early')
        self.at += length
        return self.block[self.at - length:self.at]

    def head(self):
        initial = self.take(1)[0]
        major, info = initial >> 5, initial & 31
        if info < 24:
            return major, info
        if info > 27:
            raise InvalidNode('indefinite length or reserved head')
        argument = int.from_bytes(self.take(1 << (info - 24)), 'big')
        if len(head(0, argument)) != 1 + (1 << (info - 24)):
            raise InvalidNode('not the shortest form')
        return major, argument

    def value(self, depth=0):
        if depth > MAX_DEPTH:
            raise InvalidNode('nested too deep')
        major, argument = self.head()
        if argument > MAX_INTEGER or (major == 1 and argument >= MAX_INTEGER):
            raise InvalidNode('beyond 2^53-1')
        if major == 0:
            return argument
        if major == 1:
            return -1 - argument
        if major == 2:
            return self.take(argument)
        if major == 3:
            return self.text(argument)
        if major == 4:
            return [self.value(depth + 1) for _ in self.counted(argument)]
        if major == 5:
            return self.map(argument, depth)
        if major == 6:
            return self.link(argument, depth)
        if argument in (20, 21) and self.block[self.at - 1] in (0xf4, 0xf5):
            return argument == 21
        raise InvalidNode('null, undefined, float or another simple value')

    def counted(self, count):
        if count > len(self.block) - self.at:
            raise InvalidNode('claims more items than there are bytes')
        return range(count)

    def text(self, length):
        try:
            return self.take(length).decode('utf-8')
        except UnicodeDecodeError:
            raise InvalidNode('text is not UTF-8') from None

    def map(self, count, depth):
        result, previous = {}, None
        for _ in self.counted(count):
            key = self.value(depth + 1)
            if not isinstance(key, str):
                raise InvalidNode('a key is no text')
            order = (len(key.encode()), key.encode())
            if previous is not None and order <= previous:
                raise InvalidNode('keys are out of order')
            if key.startswith('\ufeff'):
                raise InvalidNode('a key begins with U+FEFF')
            previous = order
            result[key] = self.value(depth + 1)
        return result

    def link(self, tag, depth):
        value = self.value(depth + 1) if tag == 42 else None
        if not isinstance(value, bytes) or value[:1] != b'\0':
            raise InvalidNode('only tag 42 on a CID is allowed')
        return Link(value[1:])


def decode(block):
    decoder = Decoder(block)
    value = decoder.value()
    if decoder.at != len(block):
        raise InvalidNode('bytes follow the node')
    return value


def murmur3(data, seed):
    """murmur3_x86_32."""
    mask = 0xffffffff

    def rotl(value, bits):
        return (value << bits | value >> (32 - bits)) & mask

    def mix(k):
        return rotl(k * 0xcc9e2d51 & mask, 15) * 0x1b873593 & mask

    h, whole = seed, len(data) // 4 * 4
    for i in range(0, whole, 4):
        h = (rotl(h ^ mix(int.from_bytes(data[i:i + 4], 'little')), 13) * 5 + 0xe6546b64) & mask
    h ^= mix(int.from_bytes(data[whole:], 'little')) ^ len(data)
    h = (h ^ h >> 16) * 0x85ebca6b & mask
    h = (h ^ h >> 13) * 0xc2b2ae35 & mask
    return h ^ h >> 16
