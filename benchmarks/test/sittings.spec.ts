import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { withJournal, withoutFailures } from '../src/harness/journal.ts'
import { runParts } from '../src/harness/parts.ts'
import { withSittings } from '../src/harness/sittings.ts'
import { readCommitted } from '../src/report/committed.ts'
import { sayRun } from '../src/report/say-run.ts'
import { sectionsOf } from '../src/report/sections-of.ts'
import { temporary } from './temporary.ts'

describe('the sittings of a run', () => {
  /**
   * In how many a run of parts was measured that goes on with the file, and that an interrupt ends in one of them
   */
  async function sittingsOf (file: string, endsIn?: string, failing?: string): Promise<number> {
    const controller = new AbortController()

    return withJournal(file, {}, async kept => {
      const { journal, count } = withSittings(withoutFailures(kept))
      const measure = (key: string) => async (): Promise<unknown> => {
        if (key === endsIn) {
          controller.abort()
        }

        return { status: key === failing ? 'failed' : 'ok' }
      }

      await runParts(['a', 'b', 'c'].map(key => ({ key, measure: measure(key) })), { progress: () => {}, signal: controller.signal, journal })

      return count()
    })
  }

  it('count only those that measured parts', async () => {
    const file = join(await temporary(), 'measured.jsonl')

    assert.equal(await sittingsOf(file, 'b'), 1)
    assert.equal(await sittingsOf(file, 'c'), 2)
    assert.equal(await sittingsOf(file), 3)
    assert.equal(await sittingsOf(file), 3)
  })

  it('exclude those whose failures were measured again', async () => {
    const file = join(await temporary(), 'measured.jsonl')

    assert.equal(await sittingsOf(file, 'b', 'a'), 1)
    assert.equal(await sittingsOf(file), 1)
  })

  it('are one if nothing is resumed', async () => {
    assert.equal(await sittingsOf(join(await temporary(), 'measured.jsonl')), 1)
  })

  it('are stated on the page and below the tables if there are several', async () => {
    const [report] = await readCommitted()
    const made = { command: 'npm start', commit: 'abc' }

    assert.match(sayRun({ ...report, made: { ...made, sittings: 3 } }), /, of commit abc\. Measured in 3 sittings: /)
    assert.doesNotMatch(sayRun({ ...report, made: { ...made, sittings: 1 } }), /sittings/)
    assert.doesNotMatch(sayRun({ ...report, made }), /sittings/)
    assert.ok(sectionsOf([{ ...report, made: { ...made, sittings: 3 } }], []).flatMap(({ runs }) => runs).every(({ machine }) => machine.includes('Measured in 3 sittings')))
  })
})
