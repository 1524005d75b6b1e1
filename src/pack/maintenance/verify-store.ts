import { cidOfKey } from '../format/section.ts'
import { openForReading, openForWriting, writerOf } from '../open-store.ts'
import { isUnsure } from '../session.ts'
import { repair } from './repair.ts'
import { inspect } from './verify.ts'
import type { OpenStore } from '../open-store.ts'
import type { Settings } from '../options.ts'
import type { RepairOptions } from './repair.ts'
import type { Session } from '../session.ts'
import type { Inspected, InspectOptions, Problem } from './verify.ts'
import type { CID } from 'multiformats/cid'

/** Options of `verify`: what to repair, and whom to tell how far it is. */
export interface VerifyOptions extends InspectOptions, RepairOptions {}

/** What `verify` read, found and repaired. */
export interface Verified extends Inspected {
  /** Blocks that were damaged and are whole now */
  readonly healed: CID[]
  /** Blocks that were damaged and are gone now */
  readonly dropped: CID[]
}

/** Verifies a store that is open, and repairs it where it is told to. */
export async function verifyOpen (store: OpenStore, options: VerifyOptions): Promise<Verified> {
  const { session } = store
  const { heal, drop, signal } = options
  const inspected = await inspectReadable(session, options)
  const problems = [...problemsOfEnd(session), ...await foreignSegments(session), ...inspected.problems]

  if (problems.length === 0 || (heal === undefined && drop !== true)) {
    return { ...inspected, problems, healed: [], dropped: [] }
  }

  return { ...inspected, problems, ...await repair(writerOf(store), problems, { heal, drop, signal }) }
}

/** Inspects once more, without the index, where that proves to be damaged and the session can do without it. */
async function inspectReadable (session: Session, options: InspectOptions): Promise<Inspected> {
  try {
    return await inspectOpen(session, options)
  } catch (err) {
    if (!isUnsure(session) || !session.overlay.isDamaged) {
      throw err
    }

    await session.follower?.refresh()

    return inspectOpen(session, options)
  }
}

async function inspectOpen (session: Session, options: InspectOptions): Promise<Inspected> {
  const letGo = session.follower?.holdOverlay()

  try {
    const ends = await session.ends({ leavesOutUnwritten: true })
    const { store, segments, overlay } = session
    await segments.closeReplaced()
    const inspected = await inspect({ store, segments, overlay, ends }, options)

    if (inspected.problems.length === 0) {
      return inspected
    }

    const present = await session.ends({ leavesOutUnwritten: true })
    const [before, now] = [ends, present].map(found => [...found.keys()].at(-1) ?? 0)
    // meanwhile blocks may have been moved out of segments, and into new ones, of which some are gone again
    const isSettled = (segment: number): boolean => segment <= before || segment > now

    return { ...inspected, problems: inspected.problems.filter(({ segment }) => isSettled(segment) && ends.has(segment) === present.has(segment)) }
  } finally {
    letGo?.()
  }
}

/**
 * Verifies a store that nobody has open here, for it may be one that cannot be opened: opens it in spite of a missing end,
 * to write to it only where that is needed and allowed.
 */
export async function verifyClosed (directory: string, settings: Settings, options: VerifyOptions): Promise<Verified> {
  const { heal, drop = false } = options
  const existing = { ...settings, createIfMissing: false }
  const store = settings.readonly || (heal === undefined && !drop)
    ? await openForReading(directory, existing, { acceptLoss: true })
    : await openForWriting(directory, existing, { acceptLoss: drop })

  try {
    return await verifyOpen(store, options)
  } finally {
    await store.session.close()
  }
}

/** The segments of other stores in the directory */
async function foreignSegments ({ segments }: Session): Promise<Problem[]> {
  await segments.list()

  return segments.foreign.map(segment => ({ kind: 'foreign', path: segments.path(segment), segment, offset: 0, length: 0 }))
}

/** That the end of the log is missing, and the blocks that the index knew there. */
function problemsOfEnd ({ lost, segments, overlay }: Session): Problem[] {
  if (lost === undefined) {
    return []
  }

  const { segment, offset, blocks } = lost

  return [
    { kind: 'end', path: segments.path(segment), segment, offset, length: 0 },
    ...blocks.filter(({ key }) => overlay.find(key) === undefined).map(({ key, location }): Problem => ({ kind: 'block', path: segments.path(location.segment), ...location, cid: cidOfKey(key) }))
  ]
}
