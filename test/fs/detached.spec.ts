import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { adapterApiOf } from '../../src/fs/adapter-api.ts'
import { dagfs } from '../../src/index.ts'
import type { DagFs, ReadonlyDagFs } from '../../src/index.ts'

/** What stands for a filesystem: each has its functions, and none is what `dagfs()` returned. */
const wrappers: ReadonlyArray<readonly [title: string, wrap: <T extends object> (fs: T) => T]> = [
  ['an object that inherits from it', fs => Object.create(fs)],
  ['a proxy', fs => new Proxy(fs, {})],
  ['a proxy of an object that inherits from it', fs => new Proxy(Object.create(fs), {})],
  ['a copy of its functions', fs => Object.fromEntries(namesOf(fs).map(name => [name, Reflect.get(fs, name)])) as typeof fs],
  ['functions that call its own', fs => Object.fromEntries(namesOf(fs).map(name => {
    const value = Reflect.get(fs, name)

    return [name, typeof value === 'function' ? (...args: unknown[]) => value(...args) : value]
  })) as typeof fs],
  ['a frozen one', fs => Object.freeze(fs)]
]

function namesOf (fs: object): string[] {
  const names = new Set<string>()

  for (let from = fs; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    Object.getOwnPropertyNames(from).forEach(name => names.add(name))
  }

  names.delete('constructor')

  return [...names]
}

function filesystem (): DagFs {
  return dagfs({ blockstore: new MemoryBlockstore() })
}

async function readAll (fs: ReadonlyDagFs): Promise<unknown> {
  return [
    await fs.readFile('/d/a', 'utf8'),
    (await fs.stat('/d/a')).size,
    (await fs.lstat('/l')).isSymbolicLink(),
    await fs.readlink('/l'),
    await fs.realpath('/l'),
    await fs.readdir('/'),
    await all(fs.glob('**/*')),
    (await all(fs.walk('/'))).map(({ path }) => path),
    (await all(fs.cat('/d/a'))).length,
    fs.constants.F_OK
  ]
}

async function fill (fs: DagFs): Promise<void> {
  await fs.mkdir('/d')
  await fs.writeFile('/d/a', 'text')
  await fs.symlink('d/a', '/l')
}

describe('the functions of a filesystem', () => {
  it('work without their object', async () => {
    const fs = filesystem()
    const { writeFile, appendFile, readFile, mkdir, readdir, open, cp, rm, commit, at, addAll, snapshot } = fs
    await mkdir('/d')
    await writeFile('/d/a', 'te')
    await appendFile('/d/a', 'xt')
    await addAll([{ path: '/b', content: new Uint8Array(2) }])
    await cp('/d/a', '/c')
    await rm('/b')
    const { root } = await commit()
    const { readFile: readThere } = at(root)

    expect(await readFile('/d/a', 'utf8')).to.equal('text')
    expect(await readThere('/c', 'utf8')).to.equal('text')
    expect(await readdir('/')).to.deep.equal(['c', 'd'])
    await (await open('/c')).close()
    expect((await snapshot({ message: 'first' })).message).to.equal('first')
  })

  for (const [title, wrap] of wrappers) {
    it(`work on ${title}`, async () => {
      const plain = filesystem()
      await fill(plain)
      const fs = wrap(filesystem())
      await fill(fs)

      expect(await readAll(fs)).to.deep.equal(await readAll(plain))
      expect(String((await fs.commit()).root)).to.equal(String((await plain.commit()).root))
    })

    it(`work on ${title}, of a view`, async () => {
      const fs = filesystem()
      await fill(fs)
      const { root } = await fs.commit()

      expect(await readAll(wrap(fs.at(root)))).to.deep.equal(await readAll(fs.at(root)))
      await expect((wrap(fs.at(root)) as DagFs).writeFile('/a', '')).to.eventually.be.rejected.with.property('code', 'EROFS')
    })
  }

  it('are the same on each access', () => {
    const fs = filesystem()

    expect(fs.readFile).to.equal(fs.readFile)
    expect(fs.commit).to.equal(Object.create(fs).commit)
  })

  it('can be replaced', async () => {
    const fs = filesystem()
    const derived: DagFs = Object.create(fs)
    derived.commit = async () => { throw new Error('not here') }

    await expect(derived.commit()).to.eventually.be.rejectedWith('not here')
    await fs.commit()
    fs.commit = derived.commit
    await expect(fs.commit()).to.eventually.be.rejectedWith('not here')
  })

  it('are not printed', () => {
    const fs = filesystem()
    const [before, { readFile }] = [Object.keys(fs), fs]

    expect(readFile).to.be.a('function')
    expect(Object.keys(fs)).to.deep.equal(before)
  })

  it('include what the adapters need', async () => {
    for (const [, wrap] of wrappers.slice(0, 3)) {
      const fs = wrap(filesystem())

      expect((await adapterApiOf(fs))?.add).to.be.a('function')
    }
  })
})
