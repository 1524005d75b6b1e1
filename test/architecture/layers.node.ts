import { expect } from 'aegir/chai'
import { arrows, cyclesOf, faultsOf, importsOf, planned, roomOf } from './rules.ts'
import { readManifest, readSources, sourceOf } from './sources.ts'

const sources = readSources()
const manifest = readManifest()
const twins = Object.keys(manifest.browser).map(sourceOf)

describe('the layers of src', () => {
  it('are respected by every import', () => {
    expect(faultsOf(sources, twins)).to.deep.equal([])
  })

  it('name only existing folders, each with an entry point', () => {
    expect(Object.keys(arrows).filter(room => !sources.has(`${room}/index.ts`))).to.deep.equal([])
  })

  it('keep to their plan where they were planned', () => {
    const rooms = { ...planned, ...arrows }
    const built = Object.keys(planned).filter(room => sources.has(`${room}/index.ts`))
    const doors = new Map(Object.entries(rooms).map(([room, below]) => [`${room}/index.ts`, below.map(other => importOf(room, other)).join('\n')]))

    expect(built.filter(room => arrows[room]?.every(below => planned[room].includes(below)) !== true)).to.deep.equal([])
    expect(Object.values(planned).flat().filter(below => rooms[below] === undefined)).to.deep.equal([])
    expect(cyclesOf(doors)).to.deep.equal([])
  })

  it('have no unused dependency', () => {
    const used = new Set([...sources].flatMap(([file, source]) => importsOf(file, source)
      .filter(found => found.file !== undefined)
      .map(found => `${roomOf(file)} ${roomOf(found.file ?? '')}`)))
    const unused = Object.entries(arrows).flatMap(([room, below]) => below.map(other => `${room} ${other}`)).filter(arrow => !used.has(arrow))

    expect(unused).to.deep.equal([])
  })

  it('have a browser twin beside every file that package.json replaces', () => {
    const mapped = Object.entries(manifest.browser).flatMap(pair => pair.map(sourceOf)).sort()
    const present = [...sources.keys()].filter(file => file.endsWith('.browser.ts')).flatMap(file => [file, file.replace('.browser.ts', '.ts')]).sort()

    expect(mapped).to.deep.equal(present)
    expect(present.filter(file => !sources.has(file))).to.deep.equal([])
  })

  // each rule is broken once, so that a rule that finds nothing is known to be able to
  const violations: Array<[claim: string, file: string, source: string, fault: string]> = [
    ['a layer above', 'codec/cid.ts', "import { walk } from '../tree/index.ts'", 'codec/cid.ts imports tree, which is not below it'],
    ['a sibling', 'tree/node.ts', "import { readFile } from '../file/index.ts'", 'tree/node.ts imports file, which is not below it'],
    ['a type from a sibling', 'file/read.ts', "import type { TreeNode } from '../tree/index.ts'", 'file/read.ts imports tree, which is not below it'],
    ['a layer above in a type expression', 'codec/cid.ts', "export type X = import('../fs/index.ts').DagFs", 'codec/cid.ts imports fs, which is not below it'],
    ['a layer above in a dynamic import', 'codec/cid.ts', "export const x = () => import('../fs/index.ts')", 'codec/cid.ts imports fs, which is not below it'],
    ['a file inside another layer', 'file/read.ts', "export * from '../codec/cursor.ts'", 'file/read.ts enters codec through codec/cursor.ts, not through its index.ts'],
    ['a layer from a shared file', 'path.ts', "import { links } from './codec/index.ts'", 'path.ts is a word that everybody may use, and imports the room codec'],
    ['an adapter from the main entry point', 'index.ts', "export * from './adapters/host/index.ts'", 'index.ts imports adapters/host, which is not below it'],
    ['the main entry point', 'fs/view.ts', "import { dagfs } from '../index.ts'", "fs/view.ts imports the package's front door"],
    ['a missing file', 'fs/view.ts', "import './absent.ts'", 'fs/view.ts imports ./absent.ts, which is no file of src'],
    ['cborg outside codec', 'tree/node.ts', "import { decode } from 'cborg/decode'", 'tree/node.ts imports cborg, which only codec may'],
    ['dag-cbor outside codec', 'file/read.ts', "import * as dagCbor from '@ipld/dag-cbor'", 'file/read.ts imports @ipld/dag-cbor, which only codec and pack may'],
    ['helia', 'fs/types.ts', "import type { Helia } from 'helia'", 'fs/types.ts imports helia, which users bring'],
    ['node: in the core', 'fs/view.ts', "import fs from 'node:fs'", 'fs/view.ts imports node:fs, which browsers do not have'],
    ['a built-in by its old name', 'hash.browser.ts', "import crypto from 'crypto'", 'hash.browser.ts imports crypto, which browsers do not have'],
    ['a platform detected by typeof', 'adapters/host/types.ts', "export const isNode = typeof process !== 'undefined'", 'adapters/host/types.ts tells platforms apart by typeof process'],
    ['a global of Node.js in the core', 'fs/view.ts', 'export const cwd = process.cwd()', 'fs/view.ts uses the global process, which not every platform has'],
    ['the reason of a signal', 'fs/view.ts', 'export const check = (signal: AbortSignal) => { signal.throwIfAborted() }', 'fs/view.ts rejects with the reason of a signal; abort.ts makes an AbortError of it'],
    ['a folder that is not in the table', 'utils/misc.ts', 'export const x = 1', 'utils/misc.ts stands in utils, which is no room of the table'],
    ['a folder above in the pack store', 'pack/scanning/extra.ts', "import { gc } from '../maintenance/gc.ts'", 'pack/scanning/extra.ts imports pack/maintenance, which is not below it'],
    ['a sibling in the pack store', 'pack/writing/extra.ts', "import { listBlocks } from '../reading/list-blocks.ts'", 'pack/writing/extra.ts imports pack/reading, which is not below it'],
    ['a folder of the pack store that is not in the table', 'pack/utils/misc.ts', 'export const x = 1', 'pack/utils/misc.ts stands in pack/utils, which is no folder of the table'],
    ['a cycle', 'codec/limits.ts', "import './cursor.ts'", 'codec/cursor.ts imports codec/limits.ts imports codec/cursor.ts: a cycle']
  ]

  for (const [claim, file, source, fault] of violations) {
    it(`refuse ${claim}`, () => {
      expect(faultsOf(new Map([...sources, [file, source]]), twins)).to.include(fault)
    })
  }
})

function importOf (room: string, other: string): string {
  return `import '${'../'.repeat(room.split('/').length)}${other}/index.ts'`
}

describe('the benchmarks', () => {
  it('have no cycle of imports', () => {
    expect(cyclesOf(readSources('benchmarks/src'))).to.deep.equal([])
  })
})
