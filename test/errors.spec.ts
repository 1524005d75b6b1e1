import { expect } from 'aegir/chai'
import { CID } from 'multiformats/cid'
import * as errors from '../src/errors.ts'

const cid = CID.parse('bafyreighdfsb42ymnoef4uxvdxr6xga52mzafc7s67kgdpc4pg24suxwuy')

describe('errors', () => {
  const made = [
    new errors.InvalidNodeError('wrong', { cid }),
    new errors.UnsupportedVersionError('new', { cid }),
    new errors.BlockMismatchError('other', { cid }),
    new errors.LimitExceededError('large', { path: '/a' }),
    new errors.InvalidOptionError('colour', 'is unknown'),
    new errors.SourceChangedError('changed', { path: '/a' }),
    new errors.UnsupportedEntryError('socket', { path: '/a' }),
    new errors.FileSystemError('ENOENT', 'open', '/a')
  ]

  it('names every class that is exported', () => {
    const classes = Object.keys(errors).filter(name => name.endsWith('Error'))

    expect(made.map(({ name }) => name)).to.have.members(classes)
  })

  it('gives every class but the file system\'s a code of its own', () => {
    const codes = made.slice(0, -1).map(({ code }) => code)

    expect(new Set(codes).size).to.equal(codes.length)
    expect(codes.every(code => code.startsWith('ERR_'))).to.equal(true)
  })

  it('carries facts as fields and in the sentence', () => {
    const error = new errors.BlockMismatchError('other bytes', { cid, path: '/a', cause: 'why' })

    expect(error).to.include({ cid, path: '/a', cause: 'why' })
    expect(error.message).to.equal(`other bytes at '/a' in block ${cid}`)
  })

  it('speaks of paths as node does', () => {
    expect(new errors.FileSystemError('ENOENT', 'open', '/a').message).to.equal("ENOENT: no such file or directory, open '/a'")
  })

  it('escapes what could rewrite a terminal', () => {
    expect(errors.printable('a\u001b[2J\u202egpj.exe\n')).to.equal("'a\\u{1b}[2J\\u{202e}gpj.exe\\u{a}'")
  })
})
