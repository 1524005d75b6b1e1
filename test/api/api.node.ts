import nodeFs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { readText } from '../architecture/sources.ts'
import { describeBesideNode } from '../beside-node-release.ts'
import { differences, handleDifferences, refusals } from './differences.ts'
import { doors } from './doors.ts'
import { methodsOf } from './methods.ts'
import { apiPages, nodeFunctions, nodeHandleFunctions } from './table.ts'
import type { Difference, Refusal } from './differences.ts'
import type { DagFs } from '../../src/index.ts'

describeBesideNode('the API compared to Node.js', () => {
  let directory: string
  let fs: DagFs

  before(function () {
    // to compile them takes 2 s
    this.timeout(60_000)
    doors()
  })

  beforeEach(async () => {
    directory = await nodeFs.mkdtemp(path.join(os.tmpdir(), 'dagfs-api-'))
    fs = dagfs({ blockstore: new MemoryBlockstore() })
  })

  afterEach(async () => {
    await nodeFs.rm(directory, { recursive: true })
  })

  it('has every function of node:fs/promises', () => {
    expect(nodeFunctions.filter(name => typeof fs[name as keyof DagFs] !== 'function')).to.deep.equal([])
    expect(methodsOf('DagFs').map(({ name }) => name)).to.include.members(nodeFunctions)
  })

  it("has every function of Node's FileHandle", async () => {
    await fs.writeFile('/file', '')
    await using handle = await fs.open('/file')
    const functions = await nodeHandleFunctions()

    expect(functions.filter(name => !(name in handle))).to.deep.equal([])
    expect(methodsOf('FileHandle').map(({ name }) => name)).to.include.members(functions)
  })

  it('has a docstring on every function', () => {
    expect([...methodsOf('DagFs'), ...methodsOf('FileHandle')].filter(({ summary }) => summary === '').map(({ name }) => name)).to.deep.equal([])
  })

  for (const { file, write } of apiPages) {
    it(`is listed in ${file} as in the code (npm run write:api)`, async () => {
      const text = readText(file)

      expect(await write(text)).to.equal(text)
    })
  }

  for (const difference of [...differences, ...handleDifferences]) {
    it(`differs in ${difference.call}: ${difference.how}`, async () => {
      await differs(difference)
    })
  }

  for (const refusal of refusals) {
    it(`refuses ${refusal.subject}.${refusal.call} with ${refusal.code}`, async () => {
      await refuses(refusal)
    })
  }

  async function differs (difference: Difference): Promise<void> {
    // as far as a difference is shown, Node's own has the same functions
    const there = await outcome(difference, nodeFs as unknown as DagFs, name => path.join(directory, name))
    const here = await outcome(difference, fs, name => `/${name}`)

    expect({ here, node: there }).to.deep.equal({ here: difference.here, node: difference.node })
    expect(here).to.not.deep.equal(there)
  }

  async function refuses ({ attempt, code }: Refusal): Promise<void> {
    await fs.writeFile('/file', 'content')
    await expect(attempt(fs)).to.eventually.be.rejected().with.property('code', code)
  }
})

async function outcome ({ show }: Difference, fs: DagFs, at: (name: string) => string): Promise<unknown> {
  try {
    return await show(fs, at)
  } catch (err) {
    if (!(err instanceof Error) || !('code' in err)) {
      throw err
    }

    return err.code
  }
}
