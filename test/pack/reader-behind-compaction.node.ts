import { expect } from 'aegir/chai'
import all from 'it-all'
import { hostFiles } from '../../src/pack/files/files.ts'
import { blocks, Directories, putAll, readBlock, withStore } from './stores.ts'
import type { TestBlock } from './stores.ts'
import type { Files } from '../../src/pack/files/files.ts'
import type { PackBlockstore } from '../../src/pack/index.ts'
import type { CID } from 'multiformats/cid'

/**
 * Files of a writer and of a reader: from the first segment on that the writer unlinks, it does so only when the reader opens a
 * file, some at a time, and that is opened then.
 */
class TakingTurns {
  readonly #perOpen: number
  readonly #waiting = Promise.withResolvers<void>()
  #turn = Promise.withResolvers<void>()
  #unlinked = Promise.withResolvers<void>()
  #isOn = false

  constructor (perOpen: number) {
    this.#perOpen = perOpen
  }

  /** Until the writer is about to unlink its first segment */
  async begin (): Promise<void> {
    await this.#waiting.promise
    this.#isOn = true
  }

  /** From here on nobody waits. */
  end (): void {
    this.#isOn = false
    this.#turn.resolve()
    this.#unlinked.resolve()
  }

  get writing (): Files {
    return {
      ...hostFiles,
      unlink: async path => {
        if (path.endsWith('.car')) {
          this.#waiting.resolve()
          await this.#turn.promise
          this.#turn = this.#isOn ? Promise.withResolvers() : this.#turn
        }

        await hostFiles.unlink(path)
        this.#unlinked.resolve()
      }
    }
  }

  get reading (): Files {
    return {
      ...hostFiles,
      open: async (path, mode) => {
        for (let i = 0; this.#isOn && i < this.#perOpen; i++) {
          this.#unlinked = Promise.withResolvers()
          this.#turn.resolve()
          await this.#unlinked.promise
        }

        return hostFiles.open(path, mode)
      }
    }
  }
}

describe('a reader beside a writer that collects many segments', function () {
  this.timeout(60_000)
  const directories = new Directories()
  let directory: string
  let kept: TestBlock
  let garbage: TestBlock[]

  beforeEach(async () => {
    directory = await directories.make()
    garbage = await blocks(120, 1_000, 100)
    kept = (await blocks(1, 1_000))[0]
  })

  afterEach(async () => {
    await directories.removeAll()
  })

  async function withWriter (turns: TakingTurns, work: (writer: PackBlockstore) => Promise<void>): Promise<void> {
    await withStore(directory, { files: turns.writing, segmentBytes: 4_096, recordAfterMs: 60_000 }, work)
  }

  async function withReader (turns: TakingTurns, work: (reader: PackBlockstore) => Promise<void>): Promise<void> {
    await withStore(directory, { files: turns.reading, readonly: true }, work)
  }

  /** Puts segments of garbage and publishes a root behind them; and then collects the garbage for as long as some work takes. */
  async function collectBeside (writer: PackBlockstore, turns: TakingTurns, work: () => Promise<void>): Promise<void> {
    await all(writer.putMany([...garbage, kept]))
    await writer.roots.compareAndSet('main', undefined, Uint8Array.of(1))
    const collected = writer.gc({ roots: [kept.cid], links: () => [] }).finally(() => { turns.end() })
    await turns.begin()

    try {
      await work()
    } finally {
      turns.end()
      await collected
    }
  }

  async function expectRead (reader: PackBlockstore): Promise<void> {
    expect(await reader.roots.get('main')).to.deep.equal(Uint8Array.of(1))
    expect(await readBlock(reader, kept.cid)).to.deep.equal(kept.bytes)
  }

  for (const perOpen of [2, 3]) {
    it(`learns of roots while ${perOpen} segments are unlinked per open`, async () => {
      const turns = new TakingTurns(perOpen)

      await withWriter(turns, async writer => {
        await withReader(turns, async reader => {
          await collectBeside(writer, turns, async () => expectRead(reader))
        })
      })
    })

    it(`opens the store while ${perOpen} segments are unlinked per open`, async () => {
      const turns = new TakingTurns(perOpen)

      await withWriter(turns, async writer => {
        await collectBeside(writer, turns, async () => withReader(turns, expectRead))
      })
    })
  }
})

describe('verify() of a reader', () => {
  const directories = new Directories()

  afterEach(async () => {
    await directories.removeAll()
  })

  it('reports no damage if blocks move through a short-lived segment', async () => {
    const directory = await directories.make()
    // three of them fit into a segment
    const put = await blocks(7, 1_000)
    const [,,, kept, first, second] = put

    const options = { segmentBytes: 4_096, recordAfterMs: 60_000 }
    await withStore(directory, options, async store => putAll(store, put))

    await withStore(directory, options, async writer => {
      // what happens before and after a reader is told which segments there are
      const collect = async (cid: CID): Promise<void> => {
        await writer.delete(cid)
        await writer.compact()
      }
      const events: Array<{ readonly before?: CID, readonly after?: CID }> = []
      const list = async (path: string): Promise<string[]> => {
        const { before, after } = events.shift() ?? {}
        await (before === undefined ? undefined : collect(before))
        const names = await hostFiles.list(path)
        await (after === undefined ? undefined : collect(after))

        return names
      }

      await withStore(directory, { files: { ...hostFiles, list }, readonly: true }, async reader => {
        events.push({ after: first.cid }, { before: second.cid })
        expect(await reader.verify()).to.deep.include({ problems: [] })
        expect(events).to.deep.equal([])
        expect(await readBlock(reader, kept.cid)).to.deep.equal(kept.bytes)
        expect(await reader.verify()).to.deep.include({ blocks: put.length - 2, problems: [] })
      })
    })
  })
})
