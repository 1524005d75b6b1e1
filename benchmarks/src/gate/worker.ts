import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serveParent } from '../harness/serve-parent.ts'
import { keepOn } from './cores.ts'
import { redirectDagfs } from './redirect.ts'
import { gateRowOf } from './rows/index.ts'
import type { GateWorkerFunctions, GateWorkerInit } from './protocol.ts'
import type { OpenRow } from './rows/index.ts'

// the process of one build: the driver is that of this checkout, whatever the
// build; dagfs must not be imported here, or it is not the build's

interface Opened {
  readonly row: OpenRow
  readonly directory: string
  readonly answer: string
}

let init: GateWorkerInit | undefined
let opened: Opened | undefined

// not --expose-gc, with which the workloads of edits would collect within the clock
setFlagsFromString('--expose-gc')

const collect: () => void = runInNewContext('gc')

const functions: GateWorkerFunctions = {
  async open (received) {
    redirectDagfs(received.build)
    init = received
  },
  async start (key, cores) {
    if (init == null) {
      throw new Error('no build is open')
    }

    await close()

    if (cores.length > 0) {
      await keepOn(cores)
    }

    // what the row before left behind is not this one's work
    collect()

    const directory = await mkdtemp(join(init.directory, 'row-'))
    const row = await gateRowOf(key).open({ directory, corpora: init.corpora })

    await row.prepare?.()

    const answer = await row.run()

    opened = { row, directory, answer }

    return answer
  },
  async run (ms, slowdown) {
    if (opened == null) {
      throw new Error('no row is open')
    }

    const times = { wall: [] as number[], cpu: [] as number[] }
    let spent = 0

    do {
      const { wall, cpu } = await runOnce(opened, slowdown)

      times.wall.push(wall)
      times.cpu.push(cpu)
      spent += cpu
    } while (spent < ms)

    return times
  }
}

async function runOnce ({ row, answer }: Opened, slowdown: number): Promise<{ wall: number, cpu: number }> {
  await row.prepare?.()

  const cpuBefore = cpuMs()
  const before = performance.now()
  const given = await row.run()

  if (slowdown > 0) {
    const until = cpuMs() + slowdown * (cpuMs() - cpuBefore)

    while (cpuMs() < until) {
      // busy
    }
  }

  const wall = performance.now() - before
  const cpu = cpuMs() - cpuBefore

  if (given !== answer) {
    throw new Error(`gave ${given}, and ${answer} at first`)
  }

  return { wall, cpu }
}

/**
 * The processor's time for this process so far, its kernel's included; others on the
 * machine do not add to it
 */
function cpuMs (): number {
  const { user, system } = process.cpuUsage()

  return (user + system) / 1000
}

async function close (): Promise<void> {
  const closing = opened

  opened = undefined
  await closing?.row.close?.()

  if (closing != null) {
    await rm(closing.directory, { recursive: true, force: true })
  }
}

serveParent(functions, close)
