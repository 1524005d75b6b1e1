import { decode } from '@ipld/dag-cbor'
import { readProperty } from 'dagfs'
import { propertyPath } from './records.ts'
import { asyncLog } from './sources/async-log.ts'
import { blocks, file } from './sources/file.ts'
import { flumelog, flumelogJson } from './sources/flumelog.ts'
import { packLog } from './sources/pack-log.ts'
import type { Message } from './records.ts'
import type { Source } from './sources/source.ts'

/**
 * One way to go through everything that is stored
 */
export interface Layer {
  readonly key: string
  readonly what: string
  /**
   * Whose code it is: ours, or that of a peer
   */
  readonly by: 'dagfs' | 'peer'
  readonly source: Source
  /**
   * Makes what reads the property of a record; a layer without it looks at no record
   */
  property?(this: void): Promise<ReadProperty>
}

export type ReadProperty = (record: Uint8Array) => unknown

const [first, second] = propertyPath

/**
 * From the file upwards, each of which adds something to the one before; then other people's logs of the same records
 */
export const layers: readonly Layer[] = [
  { key: 'file', what: 'reads of that size, from the first byte to the last', by: 'dagfs', source: file },
  { key: 'blocks', what: 'pieces of 1 KiB of each read', by: 'dagfs', source: blocks },
  { key: 'log', what: 'every record of the pack store', by: 'dagfs', source: packLog },
  { key: 'in-place', what: `of every record ${propertyPath.join('.')}, by readProperty`, by: 'dagfs', source: packLog, property: async () => bytes => readProperty({ bytes }, propertyPath) },
  { key: 'decoded', what: 'every record decoded by @ipld/dag-cbor', by: 'dagfs', source: packLog, property: async () => bytes => decode<Message>(bytes)[first][second] },
  { key: 'flumelog', what: 'every record of flumelog-offset', by: 'peer', source: flumelog },
  { key: 'flumelog-json', what: 'flumelog-offset with the same records as JSON, parsed', by: 'peer', source: flumelogJson, property: async () => bytes => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())[first][second] },
  { key: 'async-log', what: 'every record of async-append-only-log, as BIPF', by: 'peer', source: asyncLog },
  { key: 'async-log-in-place', what: `of each of them ${propertyPath.join('.')}, by bipf`, by: 'peer', source: asyncLog, property: bipfProperty }
]

async function bipfProperty (): Promise<ReadProperty> {
  const { default: bipf } = await import('bipf')
  const seek = bipf.createSeekPath([...propertyPath])

  return bytes => bipf.decode(bytes, seek(bytes, 0))
}

export function layerOf (key: string): Layer {
  const found = layers.find(layer => layer.key === key)

  if (found == null) {
    throw new Error(`there is no layer ${key}; there are ${layers.map(layer => layer.key).join(', ')}`)
  }

  return found
}
