import { serveParent } from '../../harness/serve-parent.ts'
import { readCar, rewriteCar } from './car.ts'
import { codecVersion, loadCodec } from './codecs/index.ts'
import { openDirectory } from './directories.ts'
import { families } from './families.ts'
import { timeWarm } from './time-warm.ts'
import { timedFamily } from './timed-family.ts'
import type { Codec } from './codecs/index.ts'
import type { OpenDirectory } from './directories.ts'
import type { CodecWorkerFunctions } from './protocol.ts'
import type { TimedFamily } from './timed-family.ts'

// the process of one codec

/**
 * What goes before the first sample, of either direction: the compiler works
 * beside us, and on a busy machine takes a while
 */
const WARM_UP = { runs: 10, ms: 400 }

let codec: Codec = { encode: missing, decode: missing }
let timed: TimedFamily | undefined
let directory: OpenDirectory = { bytes: 0, lookUp: missing }

function missing (): never {
  throw new Error('nothing is open')
}

const functions: CodecWorkerFunctions = {
  async open (key) {
    codec = await loadCodec(key)

    return codecVersion(key)
  },
  async prepare (name, count, seed) {
    const family = families.find(({ name: known }) => known === name)

    if (family == null) {
      throw new Error(`there is no family ${name}`)
    }

    timed = timedFamily(codec, family, count, seed)
    warmUp(timed.runs.encode)
    warmUp(timed.runs.decode)

    return { bytes: timed.bytes, digest: timed.digest }
  },
  encode: async () => (timed ?? missing()).encode(),
  decode: async () => (timed ?? missing()).decode(),
  async openDirectory (way, content, entries, seed) {
    directory = await openDirectory(way, content, entries, seed)
    warmUp(directory.lookUp)

    return directory.bytes
  },
  async lookUp () {
    return { ms: await timeWarm(directory.lookUp), cid: null }
  },
  readCar: async file => readCar(file, codec),
  rewriteCar: async (file, copy) => rewriteCar(file, copy, codec)
}

function warmUp (run: () => void): void {
  const end = performance.now() + WARM_UP.ms

  for (let runs = 0; runs < WARM_UP.runs || performance.now() < end; runs++) {
    run()
  }
}

serveParent(functions, async () => { timed = undefined })
