import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { hostFiles } from '../../../src/pack/files/files.ts'
import { childFile } from '../../child-file.ts'
import { inTemporary, temporaryDirectory } from '../../pack/in-temporary.ts'
import { KillingFiles, moments } from '../../pack/killing-files.ts'
import { prepareOnDisk, workloads } from '../../pack/workloads.ts'
import { below } from '../../seed.ts'
import { spread } from '../spread.ts'
import type { Moment } from '../../pack/killing-files.ts'
import type { Promised, Workload } from '../../pack/workloads.ts'
import type { Case, Outcome, Part } from '../part.ts'

// its own kind: TypeScript where this file is, JavaScript where it was built
const child = childFile(import.meta.url, '../../pack/workload-child')
const names = Object.keys(workloads)

interface Kill {
  readonly name: string
  readonly directory: string
  readonly at: number
  readonly moment: Moment
  /** Where compiled modules are kept, which is most of what such a process does */
  readonly cache: string
}

/** Runs a workload in a process of its own until it kills itself, and answers what it had promised until then. */
async function runUntilKilled ({ name, directory, at, moment, cache }: Kill, before: Promised): Promise<Promised & { wasKilled: boolean }> {
  const args = [child, name, directory, String(at), moment, String(before.acknowledged), String(before.attempted)]
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_COMPILE_CACHE: cache } })
  const [output, errors] = [text(running.stdout), text(running.stderr)]
  // 'close' comes when its output was read, too
  const [code, signal] = await once(running, 'close')
  expect(signal ?? code, await errors).to.be.oneOf(['SIGKILL', 0])
  const [acknowledged, attempted] = (await output).trimEnd().split('\n').at(-1)?.split(' ').map(Number) ?? []

  return { acknowledged: acknowledged || before.acknowledged, attempted: attempted || before.attempted, wasKilled: signal === 'SIGKILL' }
}

async function text (source: AsyncIterable<Buffer>): Promise<string> {
  let whole = ''

  for await (const bytes of source) {
    whole += String(bytes)
  }

  return whole
}

/** How many operations a workload has when nothing goes wrong */
async function countOperations (workload: Workload, prepared: string): Promise<number> {
  return inTemporary(async directory => {
    await cp(prepared, directory, { recursive: true })
    const files = new KillingFiles()
    await workload.run(files, directory, { acknowledged: 0, attempted: 0 })

    return files.operations
  })
}

/** A process that is killed keeps nothing of what it compiled: one that ends by itself does it for all. */
async function fillCache (cache: string): Promise<void> {
  await inTemporary(async directory => {
    await runUntilKilled({ name: 'files', directory, at: Number.POSITIVE_INFINITY, moment: 'before', cache }, { acknowledged: 0, attempted: 0 })
  })
}

async function killOnce (prepared: string, operations: ReadonlyMap<string, number>, { number, next }: Case): Promise<Outcome> {
  const name = names[number % names.length]
  const total = operations.get(name) ?? 1
  const turn = Math.floor(number / names.length)

  return inTemporary(async directory => {
    await cp(join(prepared, name), directory, { recursive: true })
    const moment = moments[below(next, moments.length)]
    const cache = join(prepared, 'compiled')
    const first = await runUntilKilled({ name, directory, at: spread(turn, total), moment, cache }, { acknowledged: 0, attempted: 0 })
    let kills = Number(first.wasKilled)
    let promised: Promised = first

    // now and then another process dies while it opens what the first one left, or later
    if (first.wasKilled && next() < 0.25) {
      const second = await runUntilKilled({ name, directory, at: 1 + below(next, total), moment, cache }, first)
      kills += Number(second.wasKilled)
      promised = second
    }

    const start = performance.now()
    await workloads[name].check(hostFiles, directory, promised)

    return { units: kills, worst: { 'reopening and reading everything, ms': performance.now() - start } }
  })
}

export const kills: Part = {
  claim: 'a pack store keeps acknowledged roots, needs no repair and leaves no temporary file after a kill',
  unit: 'kills',
  full: 10_000,
  daily: 20,

  async open () {
    const prepared = await temporaryDirectory()
    const operations = new Map<string, number>()

    for (const name of names) {
      await hostFiles.makeDirectory(join(prepared, name))
      await prepareOnDisk(workloads[name], join(prepared, name))
      operations.set(name, await countOperations(workloads[name], join(prepared, name)))
    }

    await fillCache(join(prepared, 'compiled'))

    return {
      run: async given => killOnce(prepared, operations, given),
      close: async () => rm(prepared, { recursive: true })
    }
  }
}
