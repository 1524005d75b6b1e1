import { isIntact } from '../format/record.ts'
import type { Location } from '../format/locations.ts'
import type { Session } from '../session.ts'

/** Whether a block can be read at a place, and is what its CID names. */
export async function standsAt (session: Pick<Session, 'read' | 'readNow'>, key: Uint8Array, location: Location): Promise<boolean> {
  try {
    return isIntact(key, session.readNow(location) ?? await session.read(location))
  } catch {
    // whatever the reason is, nothing is lost where the block counts as damaged, and is looked for elsewhere
    return false
  }
}
