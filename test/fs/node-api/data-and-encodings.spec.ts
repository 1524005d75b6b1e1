import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../../src/index.ts'
import type { DagFs } from '../../../src/index.ts'

describe('fs, given a falsy encoding', () => {
  const none = [{ encoding: '' }, { encoding: null }, { encoding: undefined }, ''] as Array<{ encoding?: undefined }>
  let fs: DagFs

  beforeEach(async () => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
    await fs.writeFile('/file', 'x')
  })

  none.forEach(options => {
    it(`treats ${JSON.stringify(options)} as no encoding`, async () => {
      expect(await fs.readFile('/file', options)).to.deep.equal(Uint8Array.of(120))
      expect(await fs.readdir('/', options)).to.deep.equal(['file'])
      expect(await fs.realpath('/file', options)).to.equal('/file')
      await fs.writeFile('/written', 'ü', options)
      await fs.appendFile('/written', 'ü', options)
      expect(await fs.readFile('/written', 'utf8')).to.equal('üü')
    })
  })

  it('treats a falsy encoding as none in calls of an open file', async () => {
    const handle = await fs.open('/file', 'r+')
    const options = { encoding: '' } as unknown as { encoding: null }

    expect(await handle.readFile(options)).to.deep.equal(Uint8Array.of(120))
    await handle.writeFile('ü', options)
    await handle.close()
    expect(await fs.readFile('/file', 'utf8')).to.equal('xü')
  })
})

describe('fs, given a DataView', () => {
  it('writes and appends the bytes of the view', async () => {
    const fs = dagfs({ blockstore: new MemoryBlockstore() })
    const view = new DataView(Uint8Array.of(9, 65, 66, 9).buffer, 1, 2)
    await fs.writeFile('/file', view)
    await fs.appendFile('/file', view)
    const handle = await fs.open('/file', 'a')
    await handle.writeFile(view)
    await handle.appendFile(view)
    await handle.write(view)
    await handle.close()

    expect(await fs.readFile('/file', 'utf8')).to.equal('ABABABABAB')
  })
})
