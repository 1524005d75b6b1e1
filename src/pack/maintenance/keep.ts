import type { Location } from '../format/locations.ts'

/** Says of a block that the store has whether it stays. */
export type Keep = (key: Uint8Array, location: Location) => boolean
