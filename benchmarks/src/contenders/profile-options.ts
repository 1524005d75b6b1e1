import type { AddOptions } from '@helia/unixfs'

/**
 * Returns Helia's options for the profile that Kubo runs too. They are made
 * anew for every call, since the importer writes into what it is given.
 */
export function profileOptions (): Partial<AddOptions> {
  return { profile: 'unixfs-v1-2025', wrapWithDirectory: true }
}
