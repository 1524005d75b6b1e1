import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'aegir/chai'
import { PackBlockstore } from '../../src/pack/index.ts'
import { below, random } from '../seed.ts'
import { block, bytesOf, Directories, readBlock, withStore } from './stores.ts'
import type { ChildProcess } from 'node:child_process'

// its own kind: TypeScript where this file is, JavaScript where it was built
const child = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './child.ts' : './child.js', import.meta.url))

/** Starts a process that publishes roots, and answers a function that tells the last one that it said. */
function start (directory: string, first: number): { process: ChildProcess, said(): number } {
  let last = first
  let rest = ''
  const started = spawn(process.execPath, [child, directory, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    last = Number(lines.at(-1) ?? last)
  })

  return { process: started, said: () => last }
}

async function until (holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) {
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

async function kill ({ process: killed }: { process: ChildProcess }): Promise<void> {
  killed.kill('SIGKILL')
  // 'close' comes when its output was read, too
  await once(killed, 'close')
}

function rootOf (value: Uint8Array | undefined): number {
  return value === undefined ? 0 : new Float64Array(value.slice().buffer)[0]
}

describe('a pack store and other processes', function () {
  this.timeout(120_000)
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('is refused to a second writer, and read by others while it is written', async () => {
    const directory = await directories.make()
    const running = start(directory, 0)

    try {
      await until(() => running.said() > 0)
      await expect(new PackBlockstore(directory).open()).to.eventually.be.rejected.with.property('name', 'StoreLockedError')

      await withStore(directory, { readonly: true }, async reader => {
        const seen = rootOf(await reader.roots.get('main'))
        expect(seen).to.be.at.least(1)

        for (let i = 0; i < 5; i++) {
          const said = running.said()
          await until(() => running.said() > said)
          const root = rootOf(await reader.roots.get('main'))
          expect(root).to.be.at.least(said)
          const { cid, bytes } = await block(bytesOf(root * 10 + 9, 3_000))
          expect(Buffer.compare(await readBlock(reader, cid), bytes)).to.equal(0)
        }
      })
    } finally {
      await kill(running)
    }
  })
})
