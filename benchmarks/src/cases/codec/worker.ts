import { createHash } from 'node:crypto'
import { serveParent } from '../../harness/serve-parent.ts'
import { timeRun } from '../../harness/time-run.ts'
import { readCar, rewriteCar } from './car.ts'
import { codecVersion, loadCodec } from './codecs/index.ts'
import { measureDirectory } from './directories.ts'
import { families, valuesOf } from './families.ts'
import type { Codec } from './codecs/index.ts'
import type { CodecWorkerFunctions } from './protocol.ts'

// the process of one codec

/**
 * Untimed runs before the first sample, for the compiler
 */
const WARM_UP = 3

let codec: Codec = { encode: missing, decode: missing }
let values: unknown[] = []
let blocks: Uint8Array[] = []

function missing (): never {
  throw new Error('no codec is open')
}

// copied, since a library may give out pieces of one buffer that it goes on writing to
const encodeAll = (): Uint8Array[] => values.map(value => codec.encode(value).slice())

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

    values = valuesOf(family, count, seed).map(codec.prepare ?? (value => value))
    blocks = encodeAll()

    const digest = digestOf(blocks)

    if (digestOf(blocks.map(bytes => codec.encode(codec.decode(bytes)).slice())) !== digest) {
      throw new Error('what was decoded does not encode to the same bytes again')
    }

    for (let run = 0; run < WARM_UP; run++) {
      encodeOnce()
      decodeOnce()
    }

    return { bytes: blocks.reduce((sum, { byteLength }) => sum + byteLength, 0), digest }
  },
  async encode () {
    const { ms } = await timeRun(async () => { encodeOnce() })

    return { ms, cid: digestOf(encodeAll()) }
  },
  async decode () {
    const { ms } = await timeRun(async () => { decodeOnce() })

    return { ms, cid: digestOf(blocks) }
  },
  directory: measureDirectory,
  readCar: async file => readCar(file, codec),
  rewriteCar: async (file, copy) => rewriteCar(file, copy, codec)
}

function encodeOnce (): void {
  for (const value of values) {
    codec.encode(value)
  }
}

function decodeOnce (): void {
  for (const bytes of blocks) {
    codec.decode(bytes)
  }
}

function digestOf (parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')

  for (const bytes of parts) {
    hash.update(bytes)
  }

  return hash.digest('hex')
}

serveParent(functions, async () => {
  values = []
  blocks = []
})
