import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../../src/index.ts'
import { handleDifferences } from './differences.ts'
import type { HandleDifference } from './differences.ts'
import type { DagFs } from '../../../src/index.ts'

async function shown ({ show }: HandleDifference, fs: DagFs, root: string): Promise<unknown> {
  try {
    return await show(fs, name => `${root}/${name}`)
  } catch (err) {
    return (err as NodeJS.ErrnoException).code
  }
}

describe('open files, differences from Node.js', () => {
  handleDifferences.forEach(difference => {
    const { call, how } = difference

    it(`${call}: ${how}`, async () => {
      const root = await node.mkdtemp(join(tmpdir(), 'dagfs-differences-'))

      try {
        expect(await shown(difference, node as unknown as DagFs, root)).to.deep.equal(difference.node)
        expect(await shown(difference, dagfs({ blockstore: new MemoryBlockstore() }), '')).to.deep.equal(difference.here)
      } finally {
        await node.rm(root, { recursive: true })
      }
    })
  })

  it('have every method of Node\'s FileHandle', async () => {
    const theirs = await node.open('/dev/null')
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const ours = await fs.open('/file', 'w')
    const names = [...Object.getOwnPropertyNames(Object.getPrototypeOf(theirs)), ...Object.getOwnPropertySymbols(Object.getPrototypeOf(theirs)).filter(symbol => symbol === Symbol.asyncDispose), 'close']

    expect(names.filter(name => !(name in ours))).to.deep.equal([])
    await theirs.close()
    await ours.close()
  })
})
