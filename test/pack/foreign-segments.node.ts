import { copyFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { PackBlockstore } from '../../src/pack/index.ts'
import { expectBlocks } from './expect-blocks.ts'
import { blocks, Directories, putAll, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'

const first = 'segment-00000001.car'
const options = { segmentBytes: 4_096 }

describe('a foreign segment in a pack store\'s directory', () => {
  const directories = new Directories()
  const at = { own: '', other: '' }
  let put: TestBlock[]

  beforeEach(async () => {
    put = await blocks(20, 1_000)
    at.own = await storeOf(put, 1)
    at.other = await storeOf(await blocks(3, 900, 50), 2)
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function storeOf (content: readonly TestBlock[], root: number): Promise<string> {
    const directory = await directories.make()
    await withStore(directory, options, async store => {
      await putAll(store, content)
      await store.roots.compareAndSet('main', undefined, Uint8Array.of(root))
    })

    return directory
  }

  async function segments (): Promise<string[]> {
    return (await readdir(at.own)).filter(name => name.includes('.car')).sort()
  }

  for (const number of ['00000099', '00000000']) {
    for (const hasIndex of [true, false]) {
      it(`is reported under ${number}, never read and never removed${hasIndex ? '' : ', without an index'}`, async () => {
        const foreign = join(at.own, `segment-${number}.car`)
        await rm(foreign, { force: true })
        await copyFile(join(at.other, first), foreign)
        const names = await segments()

        if (!hasIndex) {
          await rm(join(at.own, 'index.sqlite'))
        }

        for (const readonly of [true, false]) {
          await withStore(at.own, { ...options, readonly }, async store => {
            expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
            expect((await store.verify()).problems).to.deep.include({ kind: 'foreign', path: foreign, segment: Number(number), offset: 0, length: 0 })
          })
        }

        await withStore(at.own, options, async store => {
          await store.compact()
          await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(3))
        })

        expect(await readFile(foreign)).to.deep.equal(await readFile(join(at.other, first)))
        expect((await segments()).filter(name => names.includes(name))).to.include(`segment-${number}.car`)
      })
    }
  }

  it('hides only the first segment in its place, and is set aside on write', async () => {
    const bytes = await readFile(join(at.own, first))
    await copyFile(join(at.other, first), join(at.own, first))

    await withStore(at.own, { readonly: true }, async store => {
      expect(await store.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    })

    // writing beside it loses nothing: the store's own segment can be put back
    await withStore(at.own, options, async store => {
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
      const { problems } = await store.verify()
      expect(problems.map(({ kind }) => kind)).to.include('foreign')
    })
    await writeFile(join(at.own, first), bytes)
    await withStore(at.own, options, async store => {
      expect((await store.verify()).problems).to.deep.equal([])
      await expectBlocks(store, put)
    })

    await copyFile(join(at.other, first), join(at.own, first))
    await withStore(at.own, options, async store => {
      await store.verify({ drop: true })
    })
    const aside = (await readdir(at.own)).filter(name => name.startsWith(`${first}.aside-`))
    expect(aside).to.have.lengthOf(1)
    expect(await readFile(join(at.own, aside[0]))).to.deep.equal(await readFile(join(at.other, first)))
  })

  it('is ignored when the index is rebuilt', async () => {
    const place = join(at.own, 'segment-00000003.car')
    const bytes = await readFile(place)
    const others = await blocks(3, 900, 50)
    await copyFile(join(at.other, first), place)
    await rm(join(at.own, 'index.sqlite'))

    await withStore(at.own, options, async store => {
      for (const { cid } of others) {
        expect(await store.has(cid)).to.equal(false)
      }

      // a block that the store does not have is written, though it stands in the other store's file
      await putAll(store, others.slice(0, 1))
      await store.roots.compareAndSet('main', Uint8Array.of(1), Uint8Array.of(2))
    })

    await writeFile(place, bytes)
    await withStore(at.own, options, async store => {
      expect((await store.verify()).problems).to.deep.equal([])
      await expectBlocks(store, [...put, ...others.slice(0, 1)])
    })
  })

  it('does not identify the directory if the store\'s own segments are missing', async () => {
    const others = await directories.make()

    for (const name of ['store', ...await segments()]) {
      await rename(join(at.own, name), join(others, name))
    }

    const foreign = join(at.own, 'segment-00000004.car')
    await copyFile(join(at.other, first), foreign)
    await expect(new PackBlockstore(at.own, options).open()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    await rm(foreign)

    for (const name of (await readdir(others)).filter(kept => kept !== 'store')) {
      await rename(join(others, name), join(at.own, name))
    }

    await withStore(at.own, options, async store => { await expectBlocks(store, put) })
  })

  it('counts as a missing segment in scans and listings', async () => {
    await copyFile(join(at.other, first), join(at.own, 'segment-00000003.car'))

    for (const readonly of [true, false]) {
      await withStore(at.own, { ...options, readonly }, async store => {
        await expect(all(store.scan())).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
        await expect(all(store.getAll())).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
      })
    }
  })

  it('is refused if only the index of the store is left, which is kept', async () => {
    const away = await directories.make()

    for (const name of ['store', ...await segments()]) {
      await rename(join(at.own, name), join(away, name))
    }

    await copyFile(join(at.other, first), join(at.own, first))
    const index = await readFile(join(at.own, 'index.sqlite'))

    for (const readonly of [true, false]) {
      await expect(new PackBlockstore(at.own, { ...options, readonly }).open()).to.eventually.be.rejected.with.property('name', 'CorruptStoreError')
    }

    expect(await readFile(join(at.own, 'index.sqlite'))).to.deep.equal(index)
    expect(await readdir(at.own)).not.to.include('store')
    await rm(join(at.own, first))

    for (const name of (await readdir(away)).filter(kept => kept !== 'store')) {
      await rename(join(away, name), join(at.own, name))
    }

    await withStore(at.own, options, async store => { await expectBlocks(store, put) })
  })

  it('is refused without writing if no `store` file identifies the directory', async () => {
    await rm(join(at.own, 'store'))
    await copyFile(join(at.other, first), join(at.own, 'segment-00000099.car'))
    const before = await segments()

    for (const readonly of [true, false]) {
      await expect(new PackBlockstore(at.own, { readonly }).open()).to.eventually.be.rejectedWith('different stores').with.property('name', 'CorruptStoreError')
    }

    expect(await segments()).to.deep.equal(before)
    await rm(join(at.own, 'segment-00000099.car'))
    await withStore(at.own, options, async store => { await expectBlocks(store, put) })
  })
})
