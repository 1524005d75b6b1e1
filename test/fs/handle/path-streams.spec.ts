import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { concat } from '../../../src/bytes.ts'
import { dagfs } from '../../../src/index.ts'
import type { DagFs, FileHandle } from '../../../src/index.ts'

const chunk = 1_048_576
const before = new Uint8Array(3 * chunk + 5).fill(97)
const after = new Uint8Array(2 * chunk + 9).fill(98)

type Change = (fs: DagFs) => Promise<unknown>

const changes: Record<string, Change> = {
  'is replaced': async fs => fs.writeFile('/file', after),
  'is replaced by a rename': async fs => {
    await fs.writeFile('/other', after)
    await fs.rename('/other', '/file')
  },
  'is replaced by a copy': async fs => {
    await fs.writeFile('/other', after)
    await fs.copyFile('/other', '/file')
  },
  'is written to by a handle': async fs => withHandle(fs, async handle => handle.write(after, 0, after.byteLength, chunk + 1)),
  'is written to by a stream': async fs => {
    const writer = fs.createWriteStream('/file', { flags: 'r+', start: 2 * chunk + 1 }).getWriter()
    await writer.write(after)
    await writer.close()
  },
  'is cut': async fs => fs.truncate('/file', chunk + 2),
  'is cut and extended': async fs => {
    await fs.truncate('/file', 3)
    await fs.truncate('/file', before.byteLength)
  },
  grows: async fs => fs.appendFile('/file', after),
  'is removed': async fs => fs.rm('/file'),
  'is removed, and what nothing holds is collected': async fs => {
    await fs.rm('/file')
    await fs.commit()
    await fs.gc()
  },
  'is replaced, and what nothing holds is collected': async fs => {
    await fs.writeFile('/file', after)
    await fs.commit()
    await fs.gc()
  }
}

async function withHandle (fs: DagFs, work: (handle: FileHandle) => Promise<unknown>): Promise<void> {
  const handle = await fs.open('/file', 'r+')

  try {
    await work(handle)
  } finally {
    await handle.close()
  }
}

describe('fs/handle/path-streams', () => {
  let fs: DagFs
  let held: FileHandle | undefined

  const states: Record<string, () => Promise<void>> = {
    'stored and committed': async () => {
      await fs.commit()
    },
    'written and not committed': async () => {},
    'open, with edits in memory': async () => {
      await fs.commit()
      held = await fs.open('/file', 'r+')
      await held.write(Uint8Array.of(97), 0, 1, 7)
      await held.write(Uint8Array.of(97), 0, 1, 3 * chunk)
    }
  }

  beforeEach(async () => {
    fs = dagfs({ blockstore: new MemoryBlockstore() })
    held = undefined
    await fs.writeFile('/file', before)
  })

  async function readBeside (change: Change): Promise<Uint8Array> {
    const reader = fs.createReadStream('/file', { highWaterMark: 100_000 }).getReader()
    const pieces = [(await reader.read()).value as Uint8Array]
    await change(fs)

    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      pieces.push(value as Uint8Array)
    }

    await held?.close()

    return concat(pieces)
  }

  for (const [state, prepare] of Object.entries(states)) {
    for (const [what, change] of Object.entries(changes)) {
      it(`read one version of a file, ${state}, that ${what} meanwhile`, async () => {
        await prepare()

        expect(await readBeside(change)).to.deep.equal(before)
      })
    }
  }

  it('read the version at their opening, even if not read before a change', async () => {
    const stream = fs.createReadStream('/file', { start: chunk, end: 2 * chunk })
    // the file is opened without anybody reading
    await new Promise(resolve => setTimeout(resolve, 50))
    await fs.writeFile('/file', after)

    expect(concat(await all(stream))).to.deep.equal(before.subarray(chunk, 2 * chunk + 1))
  })

  it('copy a file onto itself', async () => {
    const mixed = Uint8Array.from(before, (_, i) => i >> 10)
    await fs.writeFile('/file', mixed)
    await fs.writeFile('/file', fs.createReadStream('/file'))
    await fs.appendFile('/file', fs.createReadStream('/file', { end: 9 }))

    expect(await fs.readFile('/file')).to.deep.equal(concat([mixed, mixed.subarray(0, 10)]))
  })

  it('stop blocking edits once cancelled', async () => {
    const stream = fs.createReadStream('/file')
    await stream.cancel()
    await fs.truncate('/file', 3)

    expect(await fs.readFile('/file', 'utf8')).to.equal('aaa')
  })

  it('of a handle read later writes', async () => {
    const handle = await fs.open('/file', 'r')
    const reader = handle.createReadStream({ highWaterMark: chunk }).getReader()
    const pieces = [(await reader.read()).value as Uint8Array]
    await fs.truncate('/file', chunk)
    await fs.appendFile('/file', 'end')

    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      pieces.push(value as Uint8Array)
    }

    expect(concat(pieces)).to.deep.equal(concat([before.subarray(0, chunk), new TextEncoder().encode('end')]))
  })
})
