import { expect } from 'aegir/chai'
import { CID } from 'multiformats/cid'
import * as errors from '../src/errors.ts'
import { printable } from '../src/printable.ts'

const cid = CID.parse('bafyreighdfsb42ymnoef4uxvdxr6xga52mzafc7s67kgdpc4pg24suxwuy')

/** What the class of an error is exported as: bundlers may give it another name of its own. */
function exportedName (error: Error): string | undefined {
  return Object.entries(errors).find(([, value]) => value === error.constructor)?.[0]
}

describe('errors', () => {
  const made = [
    new errors.InvalidNodeError('wrong', { cid }),
    new errors.UnsupportedVersionError('new', { cid }),
    new errors.BlockMismatchError('other', { cid }),
    new errors.LimitExceededError('large', { path: '/a' }),
    new errors.InvalidOptionError('colour', 'is unknown'),
    new errors.SourceChangedError('changed', { path: '/a' }),
    new errors.TargetChangedError('moved', { path: '/a' }),
    new errors.UnsupportedEntryError('socket', { path: '/a' }),
    new errors.RootConflictError('site', { ours: cid, theirs: cid, base: undefined }),
    new errors.RootRemovedError('site', cid),
    new errors.MergeConflictError([{ path: '/a', kind: 'both-changed' }]),
    new errors.MissingBlockError('gone', { cid }),
    new errors.StoreLockedError('held', { path: '/a' }),
    new errors.CorruptStoreError('torn', { path: '/a' }),
    new errors.NotFoundError('none', { cid }),
    new errors.StoreStateError('closed', { path: '/a' }),
    new errors.UnsupportedHashError('other', { cid }),
    new errors.AbortError('why'),
    new errors.OutOfRangeError('offset', '>= 0', -1),
    new errors.FileTooLargeError(2 ** 31),
    new errors.InvalidStateError('closed'),
    new errors.WatchOverflowError(1),
    new errors.DirectoryClosedError(),
    new errors.ArgumentError('ERR_INVALID_ARG_TYPE', 'wrong'),
    new errors.OperationError('ERR_FS_EISDIR', 'rm', '/a', 'is a directory'),
    new errors.FileSystemError('ENOENT', 'open', '/a')
  ]

  it('includes every exported class', () => {
    expect(made.map(exportedName)).to.have.members(Object.keys(errors).filter(name => name.endsWith('Error')))
  })

  it('gives every class its own name, except those of Node.js', () => {
    expect(made.filter(error => error.name !== exportedName(error)).map(({ name }) => name)).to.deep.equal(['RangeError', 'RangeError', 'Error', 'Error', 'Error', 'TypeError', 'SystemError'])
  })

  it('gives every class a code of its own, except FileSystemError', () => {
    const codes = made.slice(0, -1).map(({ code }) => code)

    expect(new Set(codes).size).to.equal(codes.length)
    expect(codes.filter(code => !code.startsWith('ERR_'))).to.deep.equal(['ABORT_ERR'])
  })

  it('has facts as fields and in the message', () => {
    const error = new errors.BlockMismatchError('other bytes', { cid, path: '/a', cause: 'why' })

    expect(error).to.include({ cid, path: '/a', cause: 'why' })
    expect(error.message).to.equal(`other bytes at '/a' in block ${cid}`)
  })

  it('words paths as Node.js does', () => {
    expect(new errors.FileSystemError('ENOENT', 'open', '/a').message).to.equal("ENOENT: no such file or directory, open '/a'")
    expect(new errors.FileSystemError('EEXIST', 'link', '/a', undefined, '/b').message).to.equal("EEXIST: file already exists, link '/a' -> '/b'")
    expect(new errors.FileSystemError('EBADF', 'read')).to.include({ message: 'EBADF: bad file descriptor, read', errno: -9 }).and.not.have.property('path')
  })

  it('words a number out of range as Node.js does', () => {
    expect(new errors.OutOfRangeError('offset', '>= 0', -1).message).to.equal('The value of "offset" is out of range. It must be >= 0. Received -1')
    expect(new errors.OutOfRangeError('position', 'small', 2n ** 63n).message).to.contain('9_223_372_036_854_775_808n')
  })

  it('escapes terminal control characters', () => {
    expect(printable('a\u001b[2J\u202egpj.exe\n')).to.equal("'a\\u{1b}[2J\\u{202e}gpj.exe\\u{a}'")
  })
})
