import { serveParent } from '../../harness/serve-parent.ts'
import { timeRun } from '../../harness/time-run.ts'
import { counting, hashing, tallying } from './consumers.ts'
import { layerOf } from './layers.ts'
import type { Layer, ReadProperty } from './layers.ts'
import type { LayerWorkerFunctions } from './protocol.ts'
import type { OpenSource, Place } from './sources/source.ts'

// the process of one layer and one size of reads

let opened: { readonly layer: Layer, readonly property: ReadProperty | undefined, readonly place: Place } | undefined

const functions: LayerWorkerFunctions = {
  async open (key, place) {
    const layer = layerOf(key)

    opened = { layer, property: await layer.property?.(), place }

    return layer.source.version()
  },

  async write () {
    const { layer, place } = work()

    await layer.source.own?.write(place)
  },

  check: async () => withSource(async source => {
    const { property } = work()
    const consumer = property == null ? hashing() : tallying(property)

    await source.scan(consumer.take)

    return consumer.seen()
  }),

  round: async () => withSource(async source => {
    const { property } = work()
    const consumer = property == null ? counting() : tallying(property)
    const { ms } = await timeRun(async () => source.scan(consumer.take))

    return { ms, cid: JSON.stringify(consumer.seen()) }
  })
}

function work (): NonNullable<typeof opened> {
  if (opened == null) {
    throw new Error('no layer is open')
  }

  return opened
}

/**
 * Opens what is scanned anew, so that no cache of its own is filled but the system's
 */
async function withSource <T> (use: (source: OpenSource) => Promise<T>): Promise<T> {
  const { layer, place } = work()
  const source = await layer.source.open(place)

  try {
    return await use(source)
  } finally {
    await source.close()
  }
}

serveParent(functions, async () => { opened = undefined })
