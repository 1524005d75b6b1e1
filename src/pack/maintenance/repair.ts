import { NotFoundError } from '../../errors.ts'
import { pace } from '../../pace.ts'
import { isSame } from '../block-index/index-overlay.ts'
import { keyText } from '../format/key-text.ts'
import { isIntact } from '../format/record.ts'
import { keyOf } from '../format/section.ts'
import { sectionsOf } from '../segments/sections-of.ts'
import { collectBytes } from '../writing/collect-bytes.ts'
import { carBlocks } from './car-blocks.ts'
import { compactSegments } from './compact.ts'
import { measureLiveness } from './measure-liveness.ts'
import { standsAt } from './stands-at.ts'
import type { Problem } from './verify.ts'
import type { AbortOptions } from '../../options.ts'
import type { Location } from '../format/locations.ts'
import type { WriterSession } from '../writing/writer-session.ts'
import type { Blockstore } from 'interface-blockstore'
import type { CID } from 'multiformats/cid'

/** Where intact blocks come from: another store, or the bytes of a CAR */
export type HealSource = Pick<Blockstore, 'get'> | AsyncIterable<Uint8Array>

export interface RepairOptions extends AbortOptions {
  readonly heal?: HealSource
  readonly drop?: boolean
}

export interface Repaired {
  readonly healed: CID[]
  readonly dropped: CID[]
}

/** A block that was found to be damaged, and where */
interface Damaged {
  readonly cid: CID
  readonly location: Location
}

/**
 * Puts damaged blocks again out of another source, forgets those that it does not have where that is asked for, and
 * writes the damaged segments anew without what was damaged.
 */
export async function repair (session: WriterSession, problems: readonly Problem[], { heal, drop = false, signal }: RepairOptions): Promise<Repaired> {
  const damaged = new Map(problems.flatMap(({ kind, cid, segment, offset, length }) =>
    kind === 'block' && cid !== undefined ? [[keyText(keyOf(cid)), { cid, location: { segment, offset, length } }]] : []))
  const [healed, dropped] = [new Array<CID>(), new Array<CID>()]

  for (const [text, { cid }] of damaged) {
    const key = keyOf(cid)
    const location = session.find(key)

    // what stands before a block is damaged, and not the block: it comes along when its segment is written anew
    if (location !== undefined && await standsAt(session, key, location)) {
      damaged.delete(text)
      healed.push(cid)
    } else {
      // whoever puts it from here on is not told that it is there
      session.noteDamaged(key)
    }
  }

  // the store itself may have a block somewhere else than its index says, or twice; what it has lost with the end of its log it does not look for
  const wanted = new Map([...damaged].filter(([, { cid }]) => session.find(keyOf(cid)) !== undefined))

  for (const source of [inLog(session, wanted, { signal }), ...heal === undefined ? [] : [candidates(heal, damaged, { signal })]]) {
    for await (const { cid, bytes } of source) {
      if (isIntact(keyOf(cid), bytes)) {
        session.noteDamaged(keyOf(cid))
        await session.put(cid, bytes)
        damaged.delete(keyText(keyOf(cid)))
        wanted.delete(keyText(keyOf(cid)))
        healed.push(cid)
      }
    }
  }

  for (const [text, { cid, location }] of drop ? damaged : []) {
    const known = session.find(keyOf(cid))

    // it was put again meanwhile where it stands elsewhere now
    if (known === undefined || isSame(known, location)) {
      session.removeKey(keyOf(cid))
      dropped.push(cid)
    } else {
      healed.push(cid)
    }

    damaged.delete(text)
  }

  await rewriteDamaged(session, problems, damaged, { signal })
  // what is said to be healed or dropped is on the disk, whatever had to be written anew
  await session.flush()

  return { healed, dropped }
}

/** Copies of damaged blocks that stand in the store's own segments */
async function * inLog (session: WriterSession, damaged: ReadonlyMap<string, Damaged>, options: AbortOptions): AsyncGenerator<{ cid: CID, bytes: Uint8Array }> {
  if (damaged.size === 0) {
    return
  }

  for (const segment of await presentSegments(session)) {
    for await (const { found } of sectionsOf(session.segments, segment, { ...options, withData: true })) {
      const cid = found.kind === 'gap' ? undefined : damaged.get(keyText(found.section.key))?.cid

      if (cid !== undefined && found.kind !== 'gap' && found.data !== undefined) {
        yield { cid, bytes: found.data.slice() }
      }
    }
  }
}

async function * candidates (source: HealSource, damaged: ReadonlyMap<string, Damaged>, { signal }: AbortOptions): AsyncGenerator<{ cid: CID, bytes: Uint8Array }> {
  if (!('get' in source)) {
    for await (const { cid, bytes } of carBlocks(source, { signal })) {
      await pace({ signal })

      if (damaged.has(keyText(keyOf(cid)))) {
        yield { cid, bytes }
      }

      // whatever else there is of it, nothing is looked for any more
      if (damaged.size === 0) {
        return
      }
    }

    return
  }

  for (const { cid } of [...damaged.values()]) {
    await pace({ signal })

    try {
      yield { cid, bytes: await collectBytes(source.get(cid, { signal })) }
    } catch (err) {
      if (!isNotFound(err)) {
        throw err
      }
    }
  }
}

/** Segments whose blocks can all be read from somewhere else now, or were given up */
async function rewriteDamaged (session: WriterSession, problems: readonly Problem[], damaged: ReadonlyMap<string, Damaged>, options: AbortOptions): Promise<void> {
  // a missing end is no part of the store any more
  const own = problems.filter(({ kind, segment }) => kind !== 'end' && kind !== 'foreign' && session.log.segments.includes(segment))
  const unresolved = new Set(own.filter(({ cid }) => cid !== undefined && damaged.has(keyText(keyOf(cid)))).map(({ segment }) => segment))
  const resolved = new Set(own.map(({ segment }) => segment).filter(segment => !unresolved.has(segment)))
  const missing = new Set(own.filter(({ kind, segment }) => kind === 'segment' && resolved.has(segment)).map(({ segment }) => segment))
  const present = [...resolved].filter(segment => !missing.has(segment))

  if (missing.size > 0) {
    await session.record({ dropped: missing })
  }

  if (present.length > 0) {
    await session.log.seal()
    await measureLiveness(session, await presentSegments(session), () => true, options)
    await compactSegments(session, present, () => true, { ...options, leavesOutGaps: true })
  }
}

async function presentSegments ({ segments, log }: WriterSession): Promise<number[]> {
  const present = new Set(await segments.list())

  return log.segments.filter(segment => present.has(segment))
}

function isNotFound (err: unknown): boolean {
  return err instanceof NotFoundError || (err instanceof Error && err.name === 'NotFoundError')
}
