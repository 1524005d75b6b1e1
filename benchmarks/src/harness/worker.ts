import { rm } from 'node:fs/promises'
import { CID } from 'multiformats/cid'
import { contenderOf } from '../contenders/index.ts'
import { exportCar } from './export-car.ts'
import { measure } from './measure.ts'
import { serveParent } from './serve-parent.ts'
import { verify } from './verify.ts'
import type { WorkerFunctions } from './protocol.ts'
import type { OpenContender, StoredEntry } from '../contenders/index.ts'

// the process of one contender: its parent tells it what to do, and it ends by
// itself when the parent lets go of it, or is gone

let directory: string | undefined
let opened: OpenContender | undefined

function contender (): OpenContender {
  if (opened == null) {
    throw new Error('no contender is open')
  }

  return opened
}

async function close (): Promise<void> {
  const closing = opened

  opened = undefined
  await closing?.close()

  if (directory != null) {
    await rm(directory, { recursive: true, force: true })
  }
}

function stored (cid: string | null): AsyncIterable<StoredEntry> {
  const from = contender()

  if ('readLast' in from) {
    return from.readLast()
  }

  if (cid == null) {
    throw new Error('gave no CID to read back')
  }

  return from.read(CID.parse(cid))
}

const functions: WorkerFunctions = {
  async open (init) {
    directory = init.directory
    opened = await contenderOf(init.key).open(init)

    return { version: opened.version, options: opened.options }
  },
  fill: async source => contender().add(source),
  verify: async (source, cid) => verify(source, stored(cid)),
  round: async (source, phase) => measure(contender(), source, phase),
  async exportCar (cid, file) {
    const { readBlock } = contender()

    return readBlock == null || cid == null ? undefined : exportCar(CID.parse(cid), readBlock, file)
  },
  peakMemory: async () => contender().peakMemory()
}

serveParent(functions, close)
