import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generateTree } from '../src/corpora/generate-tree.ts'
import { rowsOf, startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import { wrappedKubo } from './wrapped-kubo.ts'
import type { Report } from '../src/cases/add-dir/index.ts'

interface Run {
  readonly exitCode: number | undefined
  readonly stdout: string
  readonly report: Report
}

const SHAPE = { files: 8, bytes: 20_000, depth: 1, duplicates: 0, seed: 'faults' }

let corpus: string
let linked: string

before(async () => {
  const directory = await temporary()

  corpus = join(directory, 'corpus')
  linked = join(directory, 'linked')
  await generateTree(corpus, SHAPE)
  await generateTree(linked, SHAPE)
  await symlink('.hidden', join(linked, 'link'))
})

async function run (contenders: string, env: Readonly<Record<string, string>>, testPath: string, ...flags: string[]): Promise<Run> {
  const json = join(await temporary(), 'report.json')
  const { exitCode, stdout } = await startCli('index', ['--contenders', contenders, '--test-path', testPath, '--iterations', '1', '--min-time', '0', '--json', json, ...flags], env)

  return { exitCode, stdout: String(stdout), report: JSON.parse(await readFile(json, 'utf8')) }
}

describe('if a contender is unavailable', () => {
  it('its rows give the reason, the others run, and the run fails', async () => {
    const { exitCode, report } = await run('helia-mem,kubo-direct', { KUBO_BINARY: '/nowhere/ipfs' }, corpus)

    assert.equal(exitCode, 1)
    assert.deepEqual(rowsOf(report, 'kubo-direct').map(({ status, samples }) => [status, samples]), [['unavailable', 0], ['unavailable', 0]])
    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /^KUBO_BINARY names \/nowhere\/ipfs, which does not run/)
    assert.ok(rowsOf(report, 'helia-mem').every(({ status }) => status === 'ok'))
  })

  it('the run passes if it was optional', async () => {
    const { exitCode } = await run('helia-mem,kubo-direct', { KUBO_BINARY: '/nowhere/ipfs' }, corpus, '--optional', 'kubo-direct')

    assert.equal(exitCode, 0)
  })

  it('another tool under its name does not replace it', async () => {
    const { report } = await run('kubo-direct', { KUBO_BINARY: process.execPath }, corpus)

    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /which (is not Kubo|does not run)/)
  })
})

describe('if a contender fails', () => {
  it('its rows have the error, the others run, and the run fails', async () => {
    const { binary } = await wrappedKubo('case "$*" in *" add "*) echo "the disk is on fire" >&2; exit 3;; esac')
    const { exitCode, report } = await run('kubo-direct,helia-mem', { KUBO_BINARY: binary }, corpus)

    assert.equal(exitCode, 1)
    assert.deepEqual(rowsOf(report, 'kubo-direct').map(({ status }) => status), ['failed', 'failed'])
    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /the disk is on fire/)
    assert.ok(rowsOf(report, 'helia-mem').every(({ status }) => status === 'ok'))
  })

  it('a failure after verification is shown in its phases', async () => {
    // the first add verifies, the second one is the cold round
    const { binary } = await wrappedKubo('case "$*" in *" add "*) if [ -e "$0.second" ]; then echo "worn out" >&2; exit 3; fi; touch "$0.second";; esac')
    const { exitCode, report } = await run('kubo-direct,helia-mem', { KUBO_BINARY: binary }, corpus)

    assert.equal(exitCode, 1)
    assert.deepEqual(rowsOf(report, 'kubo-direct').map(({ status, phase }) => [status, phase]), [['failed', 'cold'], ['failed', 'warm']])
    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /worn out/)
    assert.ok(rowsOf(report, 'helia-mem').every(({ status }) => status === 'ok'))
  })

  it('a killed process is an ordinary error', async () => {
    const { binary } = await wrappedKubo('case "$*" in *" add "*) kill -9 $PPID; sleep 1;; esac')
    const { exitCode, report } = await run('kubo-direct,helia-mem', { KUBO_BINARY: binary }, corpus)

    assert.equal(exitCode, 1)
    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /the process of kubo-direct ended early \(SIGKILL\)/)
    assert.ok(rowsOf(report, 'helia-mem').every(({ status }) => status === 'ok'))
  })
})

describe('if a run is resumed', () => {
  it('only a corpus with a failed contender is measured again', async () => {
    const { binary } = await wrappedKubo('case "$*" in *" add "*) if [ ! -e "$0.repaired" ]; then echo "no space left on device" >&2; exit 3; fi;; esac')
    const journal = join(await temporary(), 'measured.jsonl')
    const resumed = async (): Promise<Run> => run('kubo-direct', { KUBO_BINARY: binary }, corpus, '--resume', journal)
    const first = await resumed()

    await writeFile(`${binary}.repaired`, '')

    const [repaired, again] = [await resumed(), await resumed()]

    assert.deepEqual([first, repaired, again].map(({ exitCode, report }) => [exitCode, rowsOf(report, 'kubo-direct')[0].status]), [[1, 'failed'], [0, 'ok'], [0, 'ok']])
    assert.deepEqual(again.report.rows, repaired.report.rows)
  })

  it('an interrupt during the tool search keeps measurements', async () => {
    const directory = await temporary()
    const [binary, journal, json] = ['ipfs', 'measured.jsonl', 'report.json'].map(name => join(directory, name))
    const args = ['--contenders', 'dagfs-mem,kubo-direct', '--test-path', corpus, '--iterations', '1', '--min-time', '0', '--json', json, '--resume', journal]

    await writeFile(binary, `#!/bin/sh\ntouch '${binary}.called'\nsleep "$(cat '${binary}.seconds')"\nexit 1\n`)
    await writeFile(`${binary}.seconds`, '0')
    await chmod(binary, 0o755)
    await startCli('index', args, { KUBO_BINARY: binary })

    const { rows } = JSON.parse(await readFile(json, 'utf8'))

    await rm(`${binary}.called`)
    await writeFile(`${binary}.seconds`, '3')

    const running = startCli('index', args, { KUBO_BINARY: binary })

    await waitFor(async () => (await readdir(directory)).includes('ipfs.called'))
    running.kill('SIGINT')

    assert.equal((await running).signal, 'SIGINT')
    assert.deepEqual(JSON.parse(await readFile(json, 'utf8')).rows, rows)
    assert.equal(rows.length, 4)
  })

  it('a corpus is measured again once its missing tool is found', async () => {
    const { binary } = await wrappedKubo()
    const journal = join(await temporary(), 'measured.jsonl')
    const resumed = async (kubo: string): Promise<Run> => run('helia-mem,kubo-direct', { KUBO_BINARY: kubo }, corpus, '--resume', journal)
    const [first, second, third] = [await resumed('/nowhere/ipfs'), await resumed('/nowhere/ipfs'), await resumed(binary)]

    assert.deepEqual(second.report.rows, first.report.rows)
    assert.deepEqual([first, second, third].map(({ report }) => rowsOf(report, 'kubo-direct')[0].status), ['unavailable', 'unavailable', 'ok'])
  })
})

describe('if a contender stores something else', () => {
  it('missing content is found before timing', async () => {
    const { binary } = await wrappedKubo('case "$*" in *" add "*) set -- --offline add -r -Q --pin=false "$7";; esac')
    const { exitCode, report } = await run('kubo-direct', { KUBO_BINARY: binary }, corpus)

    assert.equal(exitCode, 1)
    assert.match(rowsOf(report, 'kubo-direct')[0].reason ?? '', /in the source, but not stored: \d+ entries/)
  })

  it('content in another form gives another CID, and the run fails', async () => {
    const { binary } = await wrappedKubo('case "$*" in *" add "*) set -- --offline add -r -Q -H --pin=false --raw-leaves=false "$7";; esac')
    const { exitCode, report, stdout } = await run('helia-mem,kubo-direct', { KUBO_BINARY: binary }, corpus)

    assert.equal(exitCode, 1)
    assert.deepEqual(report.cidEquality, [{ corpus, group: 'unixfs-v1-2025', equal: false, cid: null, contenders: ['helia-mem', 'kubo-direct'] }])
    assert.match(stdout, /FAILED {2}.*: the unixfs-v1-2025 CIDs differ: helia-mem gave bafybei\w+, kubo-direct gave bafybei\w+\./)
  })
})

describe('if a corpus has symbolic links', () => {
  it('contenders that support links store them, and others are excluded by name', async () => {
    const { exitCode, report, stdout } = await run('dagfs-mem,helia-mem,ipfs,kubo,kubo-direct', {}, linked)

    assert.equal(exitCode, 0)
    assert.deepEqual(report.cidEquality.map(({ equal, contenders }) => ({ equal, contenders })), [
      { equal: true, contenders: ['dagfs-mem'] },
      { equal: true, contenders: ['helia-mem', 'kubo-direct'] }
    ])

    for (const contender of ['ipfs', 'kubo']) {
      assert.deepEqual(rowsOf(report, contender).map(({ status }) => status), ['unavailable', 'unavailable'])
      assert.match(rowsOf(report, contender)[0].reason ?? '', /symbolic links.*the corpus has 1$/)
      assert.match(stdout, new RegExp(`: ${contender} is left out of the equality: `))
    }
  })
})

describe('if a corpus has a directory that the profile shards', () => {
  it('js-ipfs is measured but excluded from the equality by name', async () => {
    const wide = join(await temporary(), 'wide')

    await mkdir(wide)

    // names that take 270,000 bytes in one block
    for (let index = 0; index < 1_100; index++) {
      await writeFile(join(wide, `${index}-${'x'.repeat(200)}`), String(index))
    }

    const { exitCode, report } = await run('helia-mem,ipfs,kubo-direct', {}, wide)

    assert.equal(exitCode, 0)
    assert.deepEqual(report.cidEquality.map(({ equal, contenders }) => ({ equal, contenders })), [{ equal: true, contenders: ['helia-mem', 'kubo-direct'] }])
    assert.ok(rowsOf(report, 'ipfs').every(({ status, samples }) => status === 'ok' && samples === 1))
    assert.match(rowsOf(report, 'ipfs')[0].reason ?? '', /never shards by size/)
    assert.notEqual(rowsOf(report, 'ipfs')[0].cid, report.cidEquality[0].cid)
  })
})

describe('if the run is interrupted', () => {
  itStops('kubo-direct', 'SIGINT', '--offline add', 'case "$*" in *" add "*) exec sleep 60;; esac')
  itStops('kubo-direct', 'SIGTERM', '--offline add', 'case "$*" in *" add "*) exec sleep 60;; esac')
  itStops('kubo', 'SIGINT', 'daemon')
  itStops('kubo', 'SIGTERM', 'daemon')

  function itStops (contender: string, signal: 'SIGINT' | 'SIGTERM', awaited: string, script?: string): void {
    it(`by ${signal}, it stops ${contender} and deletes temporary files`, async () => {
      const { binary, calls, isRunning } = await wrappedKubo(script)
      const tmpdir = await temporary()
      const running = startCli('index', ['--contenders', contender, '--test-path', corpus, '--min-time', '600000'], { KUBO_BINARY: binary, TMPDIR: tmpdir })

      while (!(await calls()).some(call => call.startsWith(awaited))) {
        await delay(50)
      }

      running.kill(signal)

      const { signal: endedBy, durationMs } = await running

      assert.equal(endedBy, signal)
      assert.ok(durationMs < 30_000)
      assert.deepEqual(await readdir(tmpdir), [])
      // it was told to end, and may still be ending
      await waitFor(async () => !await isRunning())
    })
  }
})

async function waitFor (condition: () => Promise<boolean>): Promise<void> {
  for (const start = performance.now(); !await condition();) {
    assert.ok(performance.now() - start < 10_000, 'it has not come true in 10 s')
    await delay(50)
  }
}
