"""Blocks of up to 2 MiB whose claims or depth are out of proportion: (title, kind, block)."""

from dagcbor import encode
from parts import DIR_CID, directory


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
    yield 'an index of 48,000 parts', 'index', [(b'\x99\xbb\x80', 1), (b'\x82\x01' + encode(DIR_CID), 48_000)]
    yield 'two MiB of parents', 'snapshot', [(b'\xa1\x68snapshot\xa3\x64tree' + encode(DIR_CID) + b'\x67parents\x99\xc0\x00', 1), (encode(DIR_CID), 0xc000)]
    yield 'a message of two MiB', 'snapshot', [(b'\xa1\x68snapshot\xa1\x67message\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'm', 2**20)]
    yield 'a kind of two MiB of control characters', 'directory', [(b'\xa1\x63dir\x81\x84\x61a\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\x01', 2**20)]
    yield 'a name of two MiB', 'directory', [(b'\xa1\x63dir\x81\x84\x7a' + (2**20).to_bytes(4, 'big'), 1), (b'\xef\xbb\xbf', 349_525), (b'\0', 1)]
