import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'aegir/chai'
import { childFile } from '../../child-file.ts'
import { withStore } from '../../pack/stores.ts'
import { below } from '../../seed.ts'
import { names, readPublished } from './published.ts'
import type { PackBlockstore } from '../../../src/pack/index.ts'
import type { InternalOptions } from '../../../src/pack/options.ts'

// its own kind: TypeScript where this file is, JavaScript where it was built
const script = childFile(import.meta.url, 'reading-process')

const actionsBesideProcess = 1_000
// so long that segments are gone before the reader comes to them
const maxTurns = 50

/** Works while a second store of the same directory reads what is published, again and again. */
export async function besideReader (directory: string, options: InternalOptions, work: () => Promise<void>, next: () => number): Promise<void> {
  await withStore(directory, { ...options, readonly: true }, async reader => {
    let isOver = false
    const outcomes = await Promise.allSettled([
      work().finally(() => { isOver = true }),
      readUntil(reader, () => isOver, next)
    ])

    outcomes.filter(({ status }) => status === 'rejected').forEach(outcome => { throw (outcome as PromiseRejectedResult).reason })
  })
}

async function readUntil (reader: PackBlockstore, isOver: () => boolean, next: () => number): Promise<void> {
  const pause = async (): Promise<void> => {
    for (let turns = next() < 0.2 ? below(next, maxTurns) : 0; turns > 0 && !isOver(); turns--) {
      await setImmediate()
    }
  }

  while (!isOver()) {
    await readPublished(reader, names[below(next, names.length)], pause)

    if (next() < 0.2) {
      expect((await reader.verify()).problems).to.deep.equal([])
    }
  }
}

/** The same with another process: the work goes on for some time from when it reads. */
export async function besideProcess (directory: string, work: (goesOn: (actions: number) => boolean) => Promise<void>): Promise<void> {
  const running = spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(running.stdout)
  const closed = once(running, 'close')
  let since: number | undefined
  let isEnded = false
  let last = ''
  lines.on('line', line => { last = line })
  running.once('exit', () => { isEnded = true })

  try {
    await work(actions => {
      since ??= last === 'open' ? actions : undefined

      return !isEnded && actions < (since ?? actions) + actionsBesideProcess
    })
  } finally {
    running.stdin.end()
  }

  const [code] = await closed
  expect(code).to.equal(0)
  expect(Number(last)).to.be.above(0)
}
