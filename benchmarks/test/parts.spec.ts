import assert from 'node:assert/strict'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { identifyCode } from '../src/harness/identify-code.ts'
import { journalOf, noJournal, withJournal, withoutFailures } from '../src/harness/journal.ts'
import { runParts } from '../src/harness/parts.ts'
import { TimeLeft } from '../src/harness/time-left.ts'
import { temporary } from './temporary.ts'
import type { Journal } from '../src/harness/journal.ts'
import type { Part, PartResults } from '../src/harness/parts.ts'

const OF = { case: 'add-dir', options: { iterations: 5, corpora: ['src'], nothing: undefined } }

async function file (): Promise<string> {
  return join(await temporary(), 'measured.jsonl')
}

describe('a journal', () => {
  it('returns the results of an earlier equal run', async () => {
    const path = await file()

    await withJournal(path, OF, async journal => journal.keep('src', { rows: [1, 2] }))

    await withJournal(path, OF, async journal => {
      assert.deepEqual(journal.find('src'), { rows: [1, 2] })
      assert.equal(journal.find('dist'), undefined)
    })
  })

  it('is refused to a run with other options', async () => {
    const path = await file()

    await withJournal(path, OF, async () => {})
    await assert.rejects(withJournal(path, { ...OF, options: { iterations: 6 } }, async () => {}), /other options, of another commit or other code, or of another machine/)
  })

  it('is refused to changed code of the same commit, with the reason', async () => {
    const path = await file()
    const directory = await temporary()
    const identity = async (commit: string | null): Promise<object> => ({ ...OF, ...await identifyCode(commit, [directory]) })

    await writeFile(join(directory, 'index.js'), 'let a = 1')
    await withJournal(path, await identity('0123456789ab+'), async () => {})
    await withJournal(path, await identity('0123456789ab+'), async () => {})
    await writeFile(join(directory, 'index.js'), 'let a = 2')
    await assert.rejects(withJournal(path, await identity('0123456789ab+'), async () => {}), /or other code/)
  })

  it('continues after an incomplete part', async () => {
    const path = await file()

    await withJournal(path, OF, async journal => journal.keep('src', 1))
    await appendFile(path, '{"key":"dist","resu')

    await withJournal(path, OF, async journal => {
      assert.equal(journal.find('dist'), undefined)
      await journal.keep('dist', 2)
    })

    await withJournal(path, OF, async journal => {
      assert.deepEqual([journal.find('src'), journal.find('dist')], [1, 2])
    })
    assert.equal((await readFile(path, 'utf8')).split('\n').length, 4)
  })

  it('keeps keys of its sections apart', async () => {
    await withJournal(await file(), OF, async journal => {
      await journalOf(journal, 'a').keep('src', 1)
      assert.equal(journalOf(journal, 'b').find('src'), undefined)
      assert.equal(journalOf(journal, 'a').find('src'), 1)
    })
  })
})

describe('the identity of code', () => {
  it('is the commit without changes', async () => {
    assert.deepEqual(await identifyCode('0123456789ab'), { commit: '0123456789ab' })
  })

  for (const commit of ['0123456789ab+', null]) {
    it(`covers every module if the commit is ${commit}`, async () => {
      const directory = await temporary()
      const codes = new Set<string | undefined>()

      for (const [name, text] of [['a.js', '1'], ['a.js', '2'], ['b.js', '2'], ['a.d.ts', 'no code']]) {
        await writeFile(join(directory, name), text)
        codes.add((await identifyCode(commit, [directory])).code)
      }

      assert.equal(codes.size, 3)
      assert.match((await identifyCode(commit)).code ?? '', /^[0-9a-f]{64}$/)
    })
  }
})

describe('a journal with failures', () => {
  it('returns no part with a failed row until it was measured again', async () => {
    const path = await file()
    const failed = { rows: [{ status: 'ok' }, { status: 'failed', reason: 'no space left on device' }] }

    await withJournal(path, OF, async journal => {
      await journal.keep('src', failed)
      await journal.keep('dist', { kept: { status: 'ok' }, refusal: null })
    })

    await withJournal(path, OF, async journal => {
      assert.deepEqual(journal.find('src'), failed)
      assert.equal(withoutFailures(journal).find('src'), undefined)
      assert.deepEqual(withoutFailures(journal).find('dist'), { kept: { status: 'ok' }, refusal: null })
      await withoutFailures(journal).keep('src', { rows: [{ status: 'ok' }] })
    })

    await withJournal(path, OF, async journal => {
      assert.deepEqual(withoutFailures(journal).find('src'), { rows: [{ status: 'ok' }] })
    })
  })
})

describe('parts of a run', () => {
  const measured: string[] = []

  function part (key: string, during?: () => void): Part<string> {
    return {
      key,
      async measure (progress) {
        progress(`measuring ${key}`)
        measured.push(key)
        during?.()

        return `figures of ${key}`
      }
    }
  }

  async function run (parts: ReadonlyArray<Part<string>>, controller: AbortController, journal: Journal = noJournal): Promise<PartResults<string> & { lines: string[] }> {
    const lines: string[] = []

    measured.length = 0

    return { ...await runParts(parts, { progress: line => { lines.push(line) }, signal: controller.signal, journal }), lines }
  }

  it('are measured in order, with their names', async () => {
    const { results, interrupted, lines } = await run([part('a'), part('b')], new AbortController())

    assert.deepEqual(results, ['figures of a', 'figures of b'])
    assert.equal(interrupted, undefined)
    assert.equal(lines[0], 'part 1 of 2: measuring a')
    assert.match(lines[1], /^part 2 of 2, about \d+ s left: measuring b$/)
  })

  it('are kept up to an interrupt', async () => {
    const controller = new AbortController()
    const { results, interrupted } = await run([part('a'), part('b', () => { controller.abort() }), part('c')], controller)

    assert.deepEqual(results, ['figures of a', 'figures of b'])
    assert.match(interrupted ?? '', /2 of 3 parts/)
  })

  it('are measured again after an interrupt, and finished ones are not', async () => {
    const path = await file()
    const controller = new AbortController()

    await withJournal(path, OF, async journal => run([part('a'), part('b', () => { controller.abort() }), part('c')], controller, journal))

    const { results } = await withJournal(path, OF, async journal => run([part('a'), part('b'), part('c')], new AbortController(), journal))

    assert.deepEqual(measured, ['b', 'c'])
    assert.deepEqual(results, ['figures of a', 'figures of b', 'figures of c'])
  })

  it('are measured again if outdated, and others are not', async () => {
    const path = await file()

    await withJournal(path, OF, async journal => run([part('a'), part('b')], new AbortController(), journal))
    await withJournal(path, OF, async journal => run([{ ...part('a'), stands: kept => kept === 'figures of a' }, { ...part('b'), stands: () => false }], new AbortController(), journal))

    assert.deepEqual(measured, ['b'])
  })

  it('are kept after an interrupt before that check, and fail the run otherwise', async () => {
    const path = await file()
    const doubtful = { ...part('b'), async stands () { throw new Error('nobody can tell') } }
    const interrupted = new AbortController()

    await withJournal(path, OF, async journal => run([part('a'), part('b')], new AbortController(), journal))
    interrupted.abort()

    await withJournal(path, OF, async journal => {
      assert.deepEqual((await run([part('a'), doubtful, part('c')], interrupted, journal)).results, ['figures of a', 'figures of b'])
      await assert.rejects(run([part('a'), doubtful], new AbortController(), journal), /nobody can tell/)
    })
  })

  it('fail the run if they fail without an interrupt', async () => {
    await assert.rejects(run([part('a', () => { throw new Error('broken') })], new AbortController()), /broken/)
  })
})

describe('the remaining time', () => {
  it('is estimated from the pace and weights of the parts', () => {
    let now = 0
    const timeLeft = new TimeLeft([1, 3, 1], undefined, () => now)

    timeLeft.begin(0)
    assert.equal(timeLeft.say(), 'part 1 of 3')
    now = 60_000
    timeLeft.done()
    timeLeft.begin(1)
    now = 90_000
    assert.equal(timeLeft.say(), 'part 2 of 3, about 4 min left')
  })

  it('is estimated from the start if the pace is known', () => {
    const timeLeft = new TimeLeft([2, 1], 10_000, () => 0)

    timeLeft.begin(0)
    assert.equal(timeLeft.say(), 'part 1 of 2, about 30 s left')
  })

  it('is never negative', () => {
    let now = 0
    const timeLeft = new TimeLeft([1], 1_000, () => now)

    timeLeft.begin(0)
    now = 5_000
    assert.equal(timeLeft.say(), 'about 0 s left')
  })
})
