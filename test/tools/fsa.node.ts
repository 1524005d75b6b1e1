import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { describeBesideNode } from '../beside-node-release.ts'
import { fsaSuite } from './fsa-suite.ts'

// in browsers the adapter needs a bundler that replaces node:buffer and node:path
describe('the File System Access API', () => {
  let directory: string

  before(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-fsa-'))
  })

  after(() => {
    fs.rmSync(directory, { recursive: true })
  })

  // the suite holds for the host's own filesystem, so it asks for nothing that a filesystem does not do
  describeBesideNode('by Node.js', () => {
    fsaSuite('node:fs', () => ({ promises: fs.promises, constants: fs.constants, directory: fs.mkdtempSync(path.join(directory, 'root-')) }))
  })

  fsaSuite('dagfs', () => {
    const tree = dagfs({ blockstore: new MemoryBlockstore() })

    return { promises: tree, constants: tree.constants, directory: '/' }
  })
})
