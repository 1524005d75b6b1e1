import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { absolutePath, compareNames, joinPath, nameFault, splitEntryPath, splitPath } from '../src/path.ts'
import './seed.ts'

const encoder = new TextEncoder()

function compareUtf8 (a: string, b: string): number {
  const [x, y] = [encoder.encode(a), encoder.encode(b)]
  const i = x.findIndex((byte, j) => byte !== y[j])

  return i === -1 ? x.length - y.length : x[i] - (y[i] ?? -1)
}

describe('path', () => {
  describe('compareNames', () => {
    it('orders by UTF-8 bytes', () => {
      fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(Math.sign(compareNames(a, b))).to.equal(Math.sign(compareUtf8(a, b)))
      }))
    })

    it('places U+FF5E before U+1F600, unlike a comparison of UTF-16 units', () => {
      expect(compareNames('\uff5e', '\u{1f600}')).to.be.below(0)
      expect('\uff5e' < '\u{1f600}').to.equal(false)
    })
  })

  describe('nameFault', () => {
    const unsafe: Array<[what: string, name: string]> = [
      ['nothing', ''],
      ['the directory itself', '.'],
      ['the parent', '..'],
      ['a slash', 'a/b'],
      ['a NUL', 'a\0'],
      ['a lone high surrogate', 'a\ud83d'],
      ['a lone low surrogate', '\ude00a'],
      ['256 bytes', 'a'.repeat(256)],
      ['256 bytes in 128 characters', 'é'.repeat(128)],
      ['258 bytes in 86 characters', '漢'.repeat(86)]
    ]

    for (const [what, name] of unsafe) {
      it(`refuses ${what}`, () => {
        expect(nameFault(name)).to.be.a('string')
      })
    }

    for (const name of ['a', '...', ' ', '\ufeffa', 'a\\b', '\u{1f600}', 'a'.repeat(255), '漢'.repeat(85), '__proto__', '1']) {
      it(`accepts ${JSON.stringify(name.slice(0, 10))} of ${name.length}`, () => {
        expect(nameFault(name)).to.equal(undefined)
      })
    }
  })

  describe('splitPath', () => {
    const splits: Array<[path: string, segments: string[]]> = [
      ['/', ['.']],
      ['/a/b', ['a', 'b']],
      ['a/b', ['a', 'b']],
      ['//a///b', ['a', 'b']],
      ['/a/', ['a', '.']],
      ['/a/./b/../c', ['a', '.', 'b', '..', 'c']]
    ]

    for (const [path, segments] of splits) {
      it(`splits ${path}`, () => {
        expect(splitPath(path, 'stat')).to.deep.equal(segments)
      })
    }

    const refused: Array<[what: string, path: string, code: string]> = [
      ['the empty path', '', 'ENOENT'],
      ['a NUL', '/a\0b', 'EINVAL'],
      ['a lone surrogate', '/\ud800', 'EINVAL'],
      ['1,025 segments', '/a'.repeat(1025), 'ENAMETOOLONG']
    ]

    for (const [what, path, code] of refused) {
      it(`refuses ${what} with ${code}, naming the call and the path`, () => {
        expect(() => splitPath(path, 'stat')).to.throw().with.include({ name: 'FileSystemError', code, syscall: 'stat', path })
      })
    }

    it('takes 1,024 segments', () => {
      expect(splitPath('/a'.repeat(1024), 'stat')).to.have.lengthOf(1024)
    })
  })

  it('refuses to add below ..', () => {
    expect(() => splitEntryPath('/a/../b', 'add')).to.throw().with.include({ code: 'EINVAL', path: '/a/../b' })
  })

  it('refuses to add a name of 256 bytes', () => {
    expect(() => splitEntryPath(`/a/${'b'.repeat(256)}`, 'add')).to.throw().with.include({ code: 'ENAMETOOLONG', syscall: 'add' })
  })

  it('drops . when adding', () => {
    expect(splitEntryPath('./a/./b/', 'add')).to.deep.equal(['a', 'b'])
  })

  it('joins names to the root and below it', () => {
    expect([joinPath('/', 'a'), joinPath('/a', 'b')]).to.deep.equal(['/a', '/a/b'])
  })

  it('makes paths absolute and keeps ..', () => {
    expect(['', '/', 'a/', './a//../b'].map(absolutePath)).to.deep.equal(['/', '/', '/a', '/a/../b'])
  })
})
