import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { childFile } from '../../child-file.ts'
import { inTemporary } from '../../pack/in-temporary.ts'
import { block, bytesOf, readBlock, withStore } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { independent } from '../part.ts'
import type { Case, Part } from '../part.ts'

const script = childFile(import.meta.url, '../fencing-child')
const typed = new Set(['StoreStateError', 'StoreLockedError', 'CorruptStoreError', 'NotFoundError'])

export const fencing: Part = {
  claim: 'a pack store keeps all acknowledged data when writers lose the lock to each other',
  unit: 'stores',
  full: 5_000,
  daily: 2,
  open: independent(async given => inTemporary(async folder => tryFencing(folder, given)))
}

const renaming = 'the directory renamed for a moment'

/** How the lock is lost, or may be thought to be */
const breaks: Readonly<Record<string, (directory: string) => Promise<void>>> = {
  'the lock removed': async directory => rm(join(directory, 'lock.sqlite'), { force: true }),
  'the lock replaced by a copy': async directory => {
    await cp(join(directory, 'lock.sqlite'), join(directory, '..', 'lock'))
    await rename(join(directory, '..', 'lock'), join(directory, 'lock.sqlite'))
  },
  [renaming]: async directory => {
    await rename(directory, `${directory}-away`)
    await rename(`${directory}-away`, directory)
  },
  'the file store removed': async directory => rm(join(directory, 'store'), { force: true }),
  'the index removed': async directory => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) {
      await rm(join(directory, `index.sqlite${suffix}`), { force: true })
    }
  },
  'all files read': async directory => {
    for (const name of await readdir(directory)) {
      await readFile(join(directory, name)).catch(() => {})
    }
  }
}

interface Writer {
  readonly name: string
  readonly process: ReturnType<typeof spawn>
  /** The last root that it was told is durable, and the last that it tried */
  acknowledged: number
  /** All that it was told are durable: of what was refused, nothing need be there */
  readonly durable: number[]
  tried: number
  readonly refused: string[]
}

function start (directory: string, number: number, next: () => number): Writer {
  const name = String(number)
  const started = spawn(process.execPath, [script, directory, name, String(below(next, 2 ** 31)), String([4_096, 20_000, 2 ** 20][below(next, 3)])], { stdio: ['ignore', 'pipe', 'inherit'] })
  const writer: Writer = { name, process: started, acknowledged: 0, durable: [], tried: 0, refused: [] }
  let rest = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''

    for (const [what, value, ...more] of lines.map(line => line.split(' '))) {
      if (what === 'done') {
        writer.acknowledged = Number(value)
        writer.durable.push(writer.acknowledged)
      } else if (what === 'try') {
        writer.tried = Number(value)
      } else {
        writer.refused.push([value, ...more].join(' '))
      }
    }
  })

  return writer
}

async function tryFencing (folder: string, { next }: Case): Promise<{ worst: Record<string, number> }> {
  const directory = join(folder, 'store')
  await mkdir(directory)
  await withStore(directory, {}, async () => {})
  const writers = Array.from({ length: 2 + below(next, 2) }, (_, i) => start(directory, i + 1, next))
  const told: string[] = []

  try {
    for (let steps = 5 + below(next, 15); steps > 0; steps--) {
      await new Promise(resolve => setTimeout(resolve, 20 + next() * 150))
      told.push(await disturb(directory, writers, next))
    }
  } finally {
    await Promise.all(writers.map(async ({ process: child }) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
    }))
  }

  try {
    // without its directory, a store says what the system does
    const isKnown = (kind: string): boolean => typed.has(kind) || (kind === 'ENOENT' && told.includes(renaming))

    for (const { refused } of writers) {
      expect(refused.map(line => line.split(' ')[0]).filter(kind => !isKnown(kind)), 'errors that are not typed').to.deep.equal([])
    }

    await withStore(directory, {}, async store => {
      for (const { name, acknowledged, durable, tried } of writers) {
        const value = await store.roots.get(name)
        const root = value === undefined ? 0 : new Float64Array(value.slice().buffer)[0]
        expect(root, `the root of writer ${name}`).to.be.within(acknowledged, Math.max(acknowledged, tried))

        for (const made of durable) {
          const { cid, bytes } = await block(bytesOf(Number(name) * 1e6 + made, 1_500))
          expect(Buffer.compare(await readBlock(store, cid), bytes)).to.equal(0)
        }
      }

      expect((await store.verify()).problems.filter(({ kind }) => kind !== 'copy')).to.deep.equal([])
    })
  } catch (err) {
    const refusals = writers.map(({ name, refused }) => `${name}: ${[...new Set(refused)].join(' | ')}`).join('; ')
    throw new Error(`${told.join(', ')}; refused: ${refusals}: ${err instanceof Error ? err.message : String(err)}`, { cause: err })
  }

  return { worst: { 'roots that were acknowledged': writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0), 'writers that acknowledged some': writers.filter(({ acknowledged }) => acknowledged > 0).length } }
}

/** Breaks the lock, or stops, continues or kills a writer. */
async function disturb (directory: string, writers: readonly Writer[], next: () => number): Promise<string> {
  const { name, process: child } = writers[below(next, writers.length)]
  const choice = next()

  if (choice < 0.6) {
    const names = Object.keys(breaks)
    const what = names[below(next, names.length)]
    await breaks[what](directory).catch((err: NodeJS.ErrnoException) => {
      if (err.code !== 'ENOENT') {
        throw err
      }
    })

    return what
  }

  if (choice < 0.9) {
    child.kill('SIGSTOP')
    await rm(join(directory, 'lock.sqlite'), { force: true })
    setTimeout(() => { child.kill('SIGCONT') }, next() * 300)

    return `${name} stopped`
  }

  child.kill('SIGKILL')

  return `${name} killed`
}
