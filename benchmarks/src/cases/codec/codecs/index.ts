import { packageVersion } from '../../../contenders/package-version.ts'
import type { Codec } from './codec.ts'

export type { Codec } from './codec.ts'

interface Entry {
  /**
   * The package that does the work, by the name in its package.json
   */
  readonly name: string
  readonly version?: string
  readonly what: string
  load(): Promise<Codec>
}

// libraries are loaded by those processes alone that measure them
const CODECS: Readonly<Record<string, Entry>> = {
  'dag-cbor': { name: '@ipld/dag-cbor', what: '@ipld/dag-cbor as it is today, on cborg', load: async () => (await import('./dag-cbor.ts')).dagCbor },
  'dag-cbor-2': { name: '@ipld/dag-cbor', version: '2.0.3', what: '@ipld/dag-cbor 2.0.3, the last one on borc, which percentages are of', load: async () => (await import('./dag-cbor-2.ts')).dagCbor2 },
  borc: { name: 'borc', what: 'the library of CBOR below dag-cbor-2, by itself', load: async () => (await import('./borc.ts')).borc },
  'cbor-x': { name: 'cbor-x', what: 'a library of all CBOR, set as near to dag-cbor as it comes', load: async () => (await import('./cbor-x.ts')).cborX },
  atcute: { name: '@atcute/cbor', what: '@atcute/cbor, a library of dag-cbor for the AT Protocol', load: async () => (await import('./atcute.ts')).atcute },
  'dag-cbor-strict-text': { name: '@ipld/dag-cbor', what: '@ipld/dag-cbor, told to refuse strings that are not UTF-8', load: async () => (await import('./text.ts')).refusingText },
  'dag-cbor-kept-text': { name: '@ipld/dag-cbor', what: '@ipld/dag-cbor, told to keep strings that are not UTF-8 as the bytes that they have', load: async () => (await import('./text.ts')).keepingText },
  dagfs: { name: 'dagfs', what: 'the reader of dagfs, of any dag-cbor block, and the function that encodes its nodes', load: async () => (await import('./dagfs.ts')).dagfsReading }
}

/**
 * Those whose speed is compared; the first is held against the second, as the
 * document did
 */
export const timedCodecs = ['dag-cbor', 'dag-cbor-2', 'borc', 'cbor-x', 'atcute']

export const allCodecs = Object.keys(CODECS)

/**
 * @throws {Error} where there is no such codec; whether its package loads is seen by who measures it
 */
export function requireCodec (key: string): void {
  entryOf(key)
}

/**
 * Says what a codec is, for those who know its key alone.
 */
export function whatIs (key: string): string {
  return entryOf(key).what
}

export async function loadCodec (key: string): Promise<Codec> {
  return entryOf(key).load()
}

/**
 * The name and version of the package that is really loaded.
 */
export async function codecVersion (key: string): Promise<string> {
  const { name, version } = entryOf(key)

  return version == null ? packageVersion(name) : `${name} ${version}`
}

function entryOf (key: string): Entry {
  if (!Object.hasOwn(CODECS, key)) {
    throw new Error(`there is no codec ${key}; there are ${allCodecs.join(', ')}`)
  }

  return CODECS[key]
}
