import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { toHex } from 'multiformats/bytes'
import { dagCborCode } from '../../src/codec/index.ts'
import { decoders } from '../codec/dag-cbor-twin.ts'
import { mutatedFixture } from '../codec/fixtures.ts'
import { nearlyValid } from '../codec/nearly-valid.ts'
import { anyCid, refusal } from '../codec/refusal.ts'
import { runs } from '../codec/runs.ts'
import { random, seed } from '../seed.ts'
import { vectors } from './notation.ts'
import type { NearlyValid } from '../codec/nearly-valid.ts'

// the tests run from their sources and from dist/test, the vectors are in the sources alone
const folder = new URL(import.meta.url.includes('/dist/test/') ? '../../../test/vectors/' : './', import.meta.url)
const script = fileURLToPath(new URL('independent.py', folder))
const python = process.env.PYTHON ?? 'python3'
const { status: pythonStatus } = spawnSync(python, ['--version'])

describe('the independent implementation', function () {
  this.timeout(runs(120_000))

  for (const [name, read] of Object.entries(vectors)) {
    it(`has written the module of ${name} from its JSON`, async () => {
      expect(read).to.deep.equal(JSON.parse(await fs.readFile(new URL(`${name}.json`, folder), 'utf8')))
    })
  }

  if (pythonStatus !== 0 && process.env.CI == null) {
    // eslint-disable-next-line no-console
    console.warn(`NOT RUN: the check of the test vectors by the independent implementation, since there is no ${python}; with CI set it must run`)
    return
  }

  it('reproduces every valid vector and refuses every invalid one', () => {
    const { status, stdout, stderr } = spawnSync(python, [script, 'check'], { encoding: 'utf8' })

    expect({ status, stderr, faults: stdout.split('\n').filter(line => line.startsWith('not so')) }).to.deep.equal({ status: 0, stderr: '', faults: [] })
    expect(stdout).to.match(/^[1-9]\d* passed, 0 failed$/m)
  })

  for (const [title, blocks, leastAccepted] of [
    ['mutated blocks', mutatedBlocks, 0.01],
    ['blocks that are nearly valid', nearlyValidBlocks, 0.1]
  ] as const) {
    it(`accepts the same ${title}, and refuses others with the same error`, () => {
      const { verdicts, own, differing } = judge(blocks())

      expect(differing.slice(0, 10)).to.deep.equal([])
      expect(verdicts).to.have.lengthOf(own.length)
      // else the blocks would show nothing
      expect(own.filter(verdict => verdict === 'ok').length / own.length).to.be.within(leastAccepted, 0.9)
    })
  }
})

function mutatedBlocks (): NearlyValid[] {
  const next = random()

  return Array.from({ length: runs(20_000) }, () => mutatedFixture(next))
}

function nearlyValidBlocks (): NearlyValid[] {
  return fc.sample(nearlyValid, { numRuns: runs(20_000), seed })
}

/** What both implementations say to some blocks. */
function judge (blocks: readonly NearlyValid[]): { verdicts: string[], own: string[], differing: string[] } {
  const input = blocks.map(({ kind, bytes }) => `${kind} ${toHex(bytes)}\n`).join('')
  const { status, stdout, stderr } = spawnSync(python, [script, 'judge'], { input, encoding: 'utf8', maxBuffer: 2 ** 30 })
  const verdicts = stdout.trimEnd().split('\n')
  const own = blocks.map(({ kind, bytes }) => refusal(decoders[kind], { cid: anyCid(dagCborCode), bytes }) ?? 'ok')
  const differing = blocks.flatMap(({ kind, bytes }, i) => verdicts[i] === own[i] ? [] : [`${kind} ${toHex(bytes)}: ${own[i]}, ${verdicts[i]} there`])

  expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' })

  return { verdicts, own, differing }
}
