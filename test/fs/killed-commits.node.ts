import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { FsBlockstore } from 'blockstore-fs'
import { LevelBlockstore } from 'blockstore-level'
import { diskRoots } from '../../src/adapters/disk-roots/index.ts'
import { dagfs } from '../../src/index.ts'
import { childFile } from '../child-file.ts'

const child = childFile(import.meta.url, 'committing-child')

for (const [name, kind, create] of [
  ['FsBlockstore', 'fs', (path: string) => new FsBlockstore(path)],
  ['LevelBlockstore', 'level', (path: string) => new LevelBlockstore(path)]
] as const) {
  describe(`commits over ${name} with diskRoots, whose process is killed`, function () {
    this.timeout(120_000)
    let directory: string

    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), 'dagfs-killed-'))
    })

    afterEach(async () => {
      await rm(directory, { recursive: true })
    })

    /** Has another process commit for a while, and answers how many commits it told of. */
    async function commitAndDie (ms: number): Promise<number> {
      const running = fork(child, [kind, directory], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
      const ended = once(running, 'exit')
      let told = 0
      running.on('message', count => { told = Number(count) })
      await Promise.race([once(running, 'message'), ended])
      await new Promise(resolve => setTimeout(resolve, ms))
      running.kill('SIGKILL')
      await ended

      return told
    }

    it('have every acknowledged root, in full', async () => {
      for (let round = 0; round < 4; round++) {
        const told = await commitAndDie(10 + round * 17)
        expect(told).to.be.above(0)
        const blockstore = create(`${directory}/blocks`)
        await blockstore.open()

        try {
          using roots = diskRoots(`${directory}/roots.sqlite`)
          const fs = dagfs({ blockstore }, { name: 'site', roots })
          const [count] = await fs.readFile('/a')
          const contents = await Promise.all(['/a', '/b/c', '/b/d/e'].map(async path => fs.readFile(path)))

          expect(count).to.be.at.least(told)
          expect((await fs.opened()).missing).to.deep.equal([])
          expect(contents.map(bytes => bytes.byteLength)).to.deep.equal([3_000, 6_000, 9_000])
          expect(contents.flatMap(bytes => [...bytes]).filter(byte => byte !== count)).to.deep.equal([])
        } finally {
          await blockstore.close()
        }
      }
    })
  })
}
