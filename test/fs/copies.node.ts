import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { describeBesideNode } from '../beside-node-release.ts'
import { random, seed } from '../seed.ts'
import { besideNode } from './beside-node.ts'
import { faultOfCopy } from './random-copies.ts'

describeBesideNode('cp, compared to Node.js', () => {
  it('behaves as in Node.js with random trees and options', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'dagfs-copies-'))
    const next = random(seed)

    try {
      for (let i = 0; i < 400; i++) {
        expect(await faultOfCopy(next, parent)).to.equal(undefined)
      }
    } finally {
      await rm(parent, { recursive: true })
    }
  })

  besideNode('replaces a link, and does not write through it, where links are followed', async (fs, note) => {
    await fs.writeFile('/source', 'new')
    await fs.writeFile('/target', 'kept')
    await fs.symlink('target', '/link')
    await note(async () => fs.cp('/source', '/link', { dereference: true }))
    await note(async () => fs.readFile('/target', 'utf8'))
    await note(async () => (await fs.lstat('/link')).isFile())
  })

  besideNode('looks at nothing that the filter does not want', async (fs, note) => {
    await fs.mkdir('/directory')
    await fs.writeFile('/file', '')
    await note(async () => fs.cp('/directory', '/file', { recursive: true, filter: () => false }))
    await note(async () => fs.cp('/missing', '/file', { filter: async () => false }))
  })

  besideNode('refuses a directory in the place of a link that leads nowhere', async (fs, note) => {
    await fs.mkdir('/directory')
    await fs.symlink('nowhere', '/link')
    await note(async () => fs.cp('/directory', '/link', { recursive: true, dereference: true }))
    await note(async () => fs.cp('/directory', '/link', { recursive: true }))
  })

  besideNode('takes no link to a directory in the place of a link into it, or around it', async (fs, note) => {
    await fs.mkdir('/a/b/c', { recursive: true })
    await fs.symlink('/a/b', '/within')
    await fs.symlink('/a', '/around')
    await note(async () => fs.cp('/around', '/within').catch(err => err.code))
    await note(async () => fs.cp('/within', '/around').catch(err => err.code))
  })
})
