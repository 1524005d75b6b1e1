import { rm } from 'node:fs/promises'
import { peakBytes } from '../../harness/peak.ts'
import { serveParent } from '../../harness/serve-parent.ts'
import { contenderOf } from './contenders/index.ts'
import { operationOf } from './operations/index.ts'
import { Work } from './work.ts'
import type { HeadersWorkerFunctions } from './protocol.ts'

// the process of one contender, operation, size and store

let directory: string | undefined
let opened: Work | undefined

function work (): Work {
  if (opened == null) {
    throw new Error('no work is open')
  }

  return opened
}

const functions: HeadersWorkerFunctions = {
  async open (init) {
    directory = init.directory

    const contender = await contenderOf(init.contender).open()

    opened = new Work(contender, operationOf(init.operation), init)

    return { version: contender.version, options: contender.options }
  },
  check: async () => work().check(),
  round: async () => work().round(),
  peakMemory: peakBytes
}

serveParent(functions, async () => {
  opened = undefined

  if (directory != null) {
    await rm(directory, { recursive: true, force: true })
  }
})
