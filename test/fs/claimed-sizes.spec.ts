import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import { inlined, numbered } from '../directory/directories.ts'
import { HandMade, directoryOf } from './hand-made.ts'
import type { DagFs } from '../../src/index.ts'
import type { CID } from 'multiformats/cid'

type Call = (fs: DagFs, lying: CID, honest: CID) => Promise<unknown>

/** Calls that open `/d`. */
const reading: ReadonlyArray<readonly [what: string, call: Call]> = [
  ['ls', async fs => all(fs.ls('/d'))],
  ['ls with a cursor', async fs => all(fs.ls('/d', { after: 'zzz' }))],
  ['walk', async fs => all(fs.walk('/'))],
  ['glob', async fs => all(fs.glob('**/*'))],
  ['readdir', async fs => fs.readdir('/d')],
  ['opendir', async fs => all(await fs.opendir('/d'))],
  ['stat of a file in it', async fs => fs.stat('/d/a')],
  ['readFile', async fs => fs.readFile('/d/a')],
  ['writeFile', async fs => fs.writeFile('/d/new', 'x')],
  ['addAll', async fs => fs.addAll([{ path: '/d/new', content: 'x' }])],
  ['rm of a file in it', async fs => fs.rm('/d/a')]
]

/** Those that compare it with another, or do not find what they look for. */
const opening: ReadonlyArray<readonly [what: string, call: Call]> = [
  ...reading,
  ['stat of nothing in it', async fs => fs.stat('/d/none')],
  ['diff', async (fs, lying, honest) => all(fs.diff(lying, honest))],
  ['diff the other way', async (fs, lying, honest) => all(fs.diff(honest, lying))],
  ['diff with an empty tree', async (fs, lying) => { await fs.rm('/d', { recursive: true }); await all(fs.diff(lying)) }],
  ['a merge that looks into it', async (fs, lying, honest) => fs.merge(honest, { base: null, strategy: 'ours' })]
]

/** Calls that give a directory another entry. */
const taking: ReadonlyArray<readonly [what: string, call: Call]> = [
  ['cp', async fs => fs.cp('/d', '/e', { recursive: true })],
  ['cp onto a directory', async fs => { await fs.mkdir('/e'); await fs.cp('/d', '/e', { recursive: true }) }],
  ['cp with a filter', async fs => fs.cp('/d', '/e', { recursive: true, filter: () => true })],
  ['rename', async fs => fs.rename('/d', '/e')],
  ['chmod', async fs => fs.chmod('/d', 0o700)],
  ['utimes', async fs => fs.utimes('/d', 1, 1)]
]

interface Trees {
  readonly store: MemoryBlockstore
  readonly lying: CID
  readonly honest: CID
}

/** Two trees with one directory `/d`, whose entry claims too much in one of them. */
async function makeTrees (count: number): Promise<Trees> {
  const store = new MemoryBlockstore()
  const fs = dagfs({ blockstore: store })
  await fs.addAll([inlined('a', 10), ...numbered(count)].map(({ name }) => ({ path: `/d/${name}`, content: new Uint8Array(10) })))
  const { root: honest } = await fs.commit()
  const [{ cid, size }] = await all(fs.ls('/'))
  const { link: lying } = await new HandMade(store).leaf([directoryOf('d', { link: cid as CID, size }, size + 1_000)])

  return { store, honest, lying }
}

async function refusal (call: Call, { store, lying, honest }: Trees, root: CID): Promise<string> {
  return call(dagfs({ blockstore: store }, { root }), lying, honest).then(() => 'none', err => err.name)
}

function claimedSizeSuite (what: string, count: number): void {
  describe(`a directory of ${what} with a wrong size in its entry`, () => {
    const making = makeTrees(count)

    for (const [name, call] of [...opening, ...taking]) {
      it(`is refused by ${name}`, async () => {
        const trees = await making

        expect(await refusal(call, trees, trees.lying)).to.equal('InvalidNodeError')
      })
    }

    for (const [name, call] of [...reading, ...taking]) {
      it(`is accepted by ${name} with its real size`, async () => {
        const trees = await making

        expect(await refusal(call, trees, trees.honest)).to.equal('none')
      })
    }

    it('is listed in its parent, which does not open it', async () => {
      const { store, lying } = await making

      expect((await all(dagfs({ blockstore: store }, { root: lying }).ls('/'))).map(({ name }) => name)).to.deep.equal(['d'])
    })

    for (const [name, withBase] of [['with a base', true], ['without one', false]] as const) {
      it(`is refused by a merge ${name}`, async () => {
        const { store, lying, honest } = await making
        const { root } = await dagfs({ blockstore: store }).commit()
        const fs = dagfs({ blockstore: store }, { root })
        await fs.writeFile('/own', 'x')

        await expect(fs.merge(lying, { base: withBase ? root : null })).to.eventually.be.rejected.with.property('name', 'InvalidNodeError')
        expect(await fs.readdir('/')).to.deep.equal(['own'])
        await fs.merge(honest, { base: withBase ? root : null })
        expect(await fs.readdir('/')).to.deep.equal(['d', 'own'])
      })
    }

    it('gets its real size from canonicalize()', async () => {
      const { store, lying, honest } = await making

      expect(String(await dagfs({ blockstore: store }).canonicalize(lying))).to.equal(String(honest))
    })
  })
}

claimedSizeSuite('one leaf', 3)
claimedSizeSuite('several leaves', 2_000)
