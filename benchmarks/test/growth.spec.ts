import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fitExponent } from '../src/cases/growth/fit-exponent.ts'
import { readOptions } from '../src/cases/growth/options.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { GrowthReport } from '../src/cases/growth/report.ts'

const ENV = { ITERATIONS: '2', MIN_TIME: '0' }

async function readReport (directory: string): Promise<GrowthReport> {
  const { reports } = JSON.parse(await readFile(join(directory, 'report.json'), 'utf8'))

  return reports[0]
}

describe('a run of growth', () => {
  let report: GrowthReport
  let directory: string

  before(async () => {
    directory = await temporary()

    const { exitCode, stdout } = await startCli('index', ['growth', '--files', '40,12,120', '--contenders', 'dagfs-mem,helia-mem', '--report', directory], ENV)

    assert.equal(exitCode, 0, String(stdout))
    report = await readReport(directory)
  })

  it('has a row for every contender and size, the small ones first', () => {
    assert.deepEqual(report.rows.map(({ files, contender, status, samples }) => [files, contender, status, samples]), [12, 40, 120].flatMap(files => [
      [files, 'dagfs-mem', 'ok', 2],
      [files, 'helia-mem', 'ok', 2]
    ]))
  })

  it('fits an exponent with its interval for every contender', () => {
    assert.deepEqual(report.fits.map(({ contender, sizes }) => [contender, sizes]), [['dagfs-mem', 3], ['helia-mem', 3]])

    for (const { exponent, low, high } of report.fits) {
      assert.ok(low != null && high != null && low <= exponent && exponent <= high)
    }
  })

  it('writes a page with its results, and lists cases without a run', async () => {
    const html = await readFile(join(directory, 'report.html'), 'utf8')

    assert.match(html, /Time for a whole tree, by its number of files/)
    assert.match(html, /It was not run\. <code>npm start -- edits<\/code>/)
  })
})

describe('a run of growth without a tool', () => {
  const run = async (...flags: string[]): Promise<number | undefined> => (await startCli('index', ['growth', '--files', '12', '--contenders', 'dagfs-mem,kubo-direct', ...flags], { ...ENV, KUBO_BINARY: '/nowhere/ipfs' })).exitCode

  it('fails because a requested contender is missing', async () => {
    assert.equal(await run(), 1)
  })

  it('passes if the contender is optional', async () => {
    assert.equal(await run('--optional', 'kubo-direct'), 0)
  })
})

describe('an interrupted run', () => {
  it('keeps its measurements, and resumes', async () => {
    const directory = await temporary()
    const tmpdir = await temporary()
    const journal = join(directory, 'measured.jsonl')
    const args = ['growth', '--files', '15,600', '--contenders', 'dagfs-mem', '--report', directory, '--resume', journal]
    const running = startCli('index', args, { ...ENV, MIN_TIME: '5000', TMPDIR: tmpdir })

    while (await partsIn(journal) < 1) {
      await delay(50)
    }

    running.kill('SIGINT')

    const { signal } = await running

    assert.equal(signal, 'SIGINT')
    assert.deepEqual(await readdir(tmpdir), [])

    const broken = await readReport(directory)

    assert.match(broken.interrupted ?? '', /of 2 parts measured/)
    assert.equal(broken.rows[0].files, 15)
    assert.match(await readFile(join(directory, 'report.html'), 'utf8'), /The run was interrupted with [12] of 2 parts measured/)

    const { exitCode } = await startCli('index', args, { ...ENV, MIN_TIME: '5000' })
    const whole = await readReport(directory)

    assert.equal(exitCode, 0)
    assert.equal(whole.interrupted, undefined)
    assert.deepEqual(whole.rows.map(({ files }) => files), [15, 600])
    // not measured again
    assert.deepEqual(whole.rows[0].rawMs, broken.rows[0].rawMs)
  })

  it('is not resumed with other options', async () => {
    const directory = await temporary()
    const journal = join(directory, 'measured.jsonl')
    const run = async (files: string): Promise<{ exitCode?: number, stderr: string }> => {
      const { exitCode, stderr } = await startCli('index', ['growth', '--files', files, '--contenders', 'dagfs-mem', '--resume', journal], ENV)

      return { exitCode, stderr: String(stderr) }
    }

    assert.equal((await run('12')).exitCode, 0)

    const other = await run('13')

    assert.equal(other.exitCode, 1)
    assert.match(other.stderr, /with other options, of another commit or other code, or of another machine/)
  })
})

describe('a fitted exponent', () => {
  const sizes = [1_000, 3_000, 10_000, 30_000, 100_000]

  it('matches the law that generated the costs', () => {
    const { exponent, low, high } = fitExponent(sizes.map(size => ({ size, cost: 3 * size ** 1.2 })))

    assert.ok(Math.abs(exponent - 1.2) < 1e-9)
    assert.ok(Math.abs((low ?? 0) - 1.2) < 1e-6 && Math.abs((high ?? 0) - 1.2) < 1e-6)
  })

  it('has a wider interval for noisy costs, which includes the truth', () => {
    const noise = [1.1, 0.92, 1.05, 0.95, 1.02]
    const { low, high } = fitExponent(sizes.map((size, index) => ({ size, cost: size * noise[index] })))

    assert.ok(low != null && high != null && low < 1 && high > 1 && high - low > 0.02)
  })

  it('has no interval for two sizes, and does not exist for one', () => {
    assert.equal(fitExponent([{ size: 1, cost: 1 }, { size: 10, cost: 10 }]).low, null)
    assert.throws(() => fitExponent([{ size: 1, cost: 1 }]))
  })
})

describe('the options of growth', () => {
  it('go up to 100,000 files by default', () => {
    assert.equal(readOptions({}, {}).files.at(-1), 100_000)
  })

  it('refuse an unknown contender and invalid sizes', () => {
    assert.throws(() => readOptions({ contenders: 'nobody' }, {}))
    assert.throws(() => readOptions({ files: '10,many' }, {}))
  })
})

async function partsIn (journal: string): Promise<number> {
  try {
    return (await readFile(journal, 'utf8')).split('\n').length - 2
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return 0
    }

    throw err
  }
}
