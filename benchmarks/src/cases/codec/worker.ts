import { createHash } from 'node:crypto'
import { serveParent } from '../../harness/serve-parent.ts'
import { readCar, rewriteCar } from './car.ts'
import { codecVersion, loadCodec } from './codecs/index.ts'
import { openDirectory } from './directories.ts'
import { families, valuesOf } from './families.ts'
import { timeWarm } from './time-warm.ts'
import type { Codec } from './codecs/index.ts'
import type { OpenDirectory } from './directories.ts'
import type { CodecWorkerFunctions } from './protocol.ts'

// the process of one codec

/**
 * What goes before the first sample, of either direction: the compiler works
 * beside us, and on a busy machine takes a while
 */
const WARM_UP = { runs: 10, ms: 400 }

let codec: Codec = { encode: missing, decode: missing }
let values: unknown[] = []
let blocks: Uint8Array[] = []
let directory: OpenDirectory = { bytes: 0, lookUp: missing }

function missing (): never {
  throw new Error('nothing is open')
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

    warmUp(encodeOnce)
    warmUp(decodeOnce)

    return { bytes: blocks.reduce((sum, { byteLength }) => sum + byteLength, 0), digest }
  },
  async encode () {
    return { ms: await timeWarm(encodeOnce), cid: digestOf(encodeAll()) }
  },
  async decode () {
    return { ms: await timeWarm(decodeOnce), cid: digestOf(blocks) }
  },
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
