import { blockCid, nodeCid } from '../node-cid.ts'
import { checkDiffOptions, diffVersions } from './diff.ts'
import { checkLogOptions, logOf } from './log.ts'
import { openVersion } from './snapshot.ts'
import type { DiffOptions, HistoryReader, LoggedSnapshot, LogOptions, TreeDifference } from './types.ts'
import type { SnapshotSource } from './walk.ts'
import type { VerifyOptions, VerifyReport } from '../verify/types.ts'
import type { CID } from 'multiformats/cid'

/**
 * The history as it is seen from one tree or snapshot.
 */
export class VersionHistory implements HistoryReader {
  readonly #source: SnapshotSource
  readonly #cid: CID

  constructor (source: SnapshotSource, cid: CID) {
    this.#source = source
    this.#cid = cid
  }

  async * log (from: CID | undefined, options: LogOptions): AsyncGenerator<LoggedSnapshot> {
    checkLogOptions(options)
    const given = from === undefined ? undefined : nodeCid('from', from)

    yield * logOf(this.#source, given ?? await this.#snapshot(options), options)
  }

  /** A tree alone has no history. */
  async #snapshot (options: LogOptions): Promise<CID | undefined> {
    const { snapshot } = await openVersion(this.#source.blocks, this.#cid, options)

    return snapshot === undefined ? undefined : this.#cid
  }

  async * diff (before: CID, after: CID | undefined, options: DiffOptions): AsyncGenerator<TreeDifference> {
    checkDiffOptions(options)
    const { blocks } = this.#source
    const [a, b] = [nodeCid('before', before), after === undefined ? this.#cid : nodeCid('after', after)]

    yield * diffVersions(blocks, await openVersion(blocks, a, options), await openVersion(blocks, b, options), options)
  }

  async verify (root: CID | undefined, options: VerifyOptions): Promise<VerifyReport> {
    const { verifyTrees } = await import('../verify/verify.ts')

    return verifyTrees(this.#source.store, { roots: [root === undefined ? this.#cid : blockCid('root', root)], layout: undefined }, options)
  }
}
