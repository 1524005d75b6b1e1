import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { CaseReport } from '../src/report/chart.ts'

interface Page {
  readonly reports: readonly CaseReport[]
  readonly failed: readonly unknown[]
}

describe('npm start -- all', () => {
  it('refuses an unknown case', async () => {
    const { exitCode, stderr } = await startCli('index', ['all', '--cases', 'nope', '--report', await temporary()])

    assert.equal(exitCode, 1)
    assert.match(String(stderr), /there is no case nope/)
  })

  it('writes a page, resumes without measuring, and prints its command', async () => {
    const directory = await temporary()
    const source = await temporary()
    const args = ['all', '--cases', 'reimport', '--report', directory]
    const env = { TEST_PATH: source, ITERATIONS: '1' }

    await writeFile(join(source, 'file'), 'a file')

    const first = await startCli('index', args, env)
    const page = await readPage(directory)
    const again = await startCli('index', [...args, '--resume', join(directory, 'measured.jsonl')], env)

    assert.match(String(first.stdout), /report\.html/)
    assert.deepEqual(page.reports.map(report => [report.case, report.made?.command]), [['reimport', 'ITERATIONS=1 TEST_PATH=DIR npm start -- all --cases reimport']])
    // the same times, which were taken once
    assert.deepEqual((await readPage(directory)).reports, page.reports)
    assert.match(String(again.stdout), /report\.html/)

    const other = await startCli('index', [...args, '--resume', join(directory, 'measured.jsonl')], { ...env, ITERATIONS: '2' })

    assert.match(String(other.stderr), /is of a run with other options/)
  })

  it('keeps results when interrupted, lists no failures, and prints the resume command', async () => {
    const directory = await temporary()
    const running = startCli('index', ['all', '--cases', 'layers', '--report', directory])

    // the records are made first, which takes some seconds
    await once(running.stderr, 'data')
    running.kill('SIGINT')

    const { stdout, stderr } = await running
    const { reports, failed } = await readPage(directory)

    assert.doesNotMatch(String(stdout), /FAILED/)
    assert.deepEqual(failed, [])
    assert.match(reports[0].interrupted ?? '', /^interrupted with 0 of 7 parts/)
    assert.ok(String(stderr).includes(`npm start -- all --cases layers --report ${directory} --resume `))
  })

  it('moves earlier results aside, and says so', async () => {
    const directory = await temporary()
    const [journal, aside] = ['measured.jsonl', 'measured-before.jsonl'].map(name => join(directory, name))
    // what is measured does not matter here, and a case that cannot be prepared takes no time
    const run = async (): Promise<string> => String((await startCli('index', ['all', '--cases', 'reimport', '--report', directory], { ITERATIONS: 'nope' })).stderr)

    assert.doesNotMatch(await run(), /earlier run/)
    await writeFile(journal, 'what an earlier run has measured')
    assert.ok((await run()).includes('measured-before.jsonl now, to be given to --resume'))
    assert.equal(await readFile(aside, 'utf8'), 'what an earlier run has measured')
  })

  it('does not count a resumed case as fast', async () => {
    const directory = await temporary()
    const source = await temporary()
    const args = ['all', '--cases', 'reimport,layers', '--report', directory]
    const env = { TEST_PATH: source, ITERATIONS: '1' }

    await writeFile(join(source, 'file'), 'a file')

    const first = await untilLayers(startCli('index', args, env))
    const again = await untilLayers(startCli('index', [...args, '--resume', join(directory, 'measured.jsonl')], env))

    assert.match(first, /reimport/)
    assert.doesNotMatch(again, /reimport/)
    // a case of some minutes
    assert.match(again, /layers \(part 2 of 2, about [2-9] min left\)/)
  })

  it('shows a failed case, continues with others, and fails', async () => {
    const directory = await temporary()
    const { exitCode, stdout } = await startCli('index', ['all', '--cases', 'reimport,codec', '--report', directory], { ITERATIONS: 'nope' })

    assert.equal(exitCode, 1)
    assert.match(String(stdout), /FAILED {2}reimport: iterations must be a whole number/)
    assert.match(String(stdout), /FAILED {2}codec: iterations must be a whole number/)
    assert.match(await readFile(join(directory, 'report.html'), 'utf8'), /It failed: iterations/)
  })
})

/**
 * Interrupts a run as soon as it has begun with the layers, and answers what it has told so far
 */
async function untilLayers (running: ReturnType<typeof startCli>): Promise<string> {
  let told = ''

  for await (const text of running.stderr) {
    told += String(text)

    if (/layers \(.*\):/.test(told)) {
      break
    }
  }

  running.kill('SIGINT')
  await running

  return told
}

async function readPage (directory: string): Promise<Page> {
  return JSON.parse(await readFile(join(directory, 'report.json'), 'utf8'))
}
