import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readOptions } from '../src/cases/memory/options.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import type { MemoryReport } from '../src/cases/memory/index.ts'

// what is small here is the input; nobody else's load must break these
const SMALL = {
  files: 300, 'tree-bytes': 20_000_000, 'file-bytes': 100_000_000, 'stream-bytes': 300_000_000, aborts: 2, 'held-ms': 5_000, 'abort-ms': 5_000
}

async function run (flags: Readonly<Record<string, number>> = {}): Promise<{ exitCode: number | undefined, stdout: string, report: MemoryReport }> {
  const json = join(await temporary(), 'report.json')
  const args = Object.entries({ ...SMALL, ...flags }).flatMap(([name, value]) => [`--${name}`, String(value)])
  const { exitCode, stdout } = await startCli('measure-memory', [...args, '--json', json])

  return { exitCode, stdout: String(stdout), report: JSON.parse(await readFile(json, 'utf8')) }
}

describe('measure:memory', () => {
  it('keeps its limits on a small tree and file, and prints its measurements', async () => {
    const { exitCode, stdout, report } = await run()
    const { tree, imports } = report
    const { file: { runs: [file] } } = imports

    assert.equal(exitCode, 0, stdout)
    assert.equal(tree.files, 300)
    // a tenth of the files repeats others
    assert.ok(tree.storedBytes > 15_000_000 && tree.storedBytes < 20_000_000)
    assert.ok(tree.peakBytes - tree.startBytes > tree.storedBytes / 2)
    assert.ok(file.heldMs > 0 && file.importMs > file.heldMs)

    for (const { aborts } of Object.values(imports)) {
      assert.equal(aborts.length, 2)
      assert.ok(aborts.every(({ abortMs }) => abortMs >= 0))
    }
  })

  it('holds a file of 500 MB in less than half its size of memory', async () => {
    const { report: { imports: { file: { runs: [file] } } } } = await run({ 'file-bytes': 500_000_000 })

    assert.ok(file.peakBytes - file.startBytes < 250_000_000)
  })

  it('repeats an import that blocked the event loop, and counts the best run', async () => {
    // no import holds it for less
    const { exitCode, stdout, report } = await run({ 'held-ms': 1, runs: 2 })

    const imports = Object.values(report.imports)

    for (const { runs } of imports) {
      assert.equal(runs.length, 2)
      assert.ok(runs.every(({ besideMs }) => besideMs > 0))
    }

    const held = report.figures.filter(({ what }) => what.includes('in the quietest of 2 runs'))

    assert.deepEqual(held.map(({ value }) => value), imports.map(({ runs }) => Math.min(...runs.map(({ heldMs }) => heldMs))))
    assert.equal(exitCode, 1, stdout)
  })

  for (const [flag, figures] of [['tree-megabytes', 1], ['file-megabytes', 3]] as const) {
    it(`exits with code 1 if the limit --${flag} is exceeded`, async () => {
      const { exitCode, stdout } = await run({ [flag]: 1 })

      assert.equal(exitCode, 1)
      assert.equal(stdout.split('\n').filter(line => line.includes('missed')).length, figures)
    })
  }
})

describe('options of measure:memory', () => {
  for (const [what, flags] of [['no number', { files: 'many' }], ['no files', { files: 0 }], ['no limit', { treeMegabytes: 0 }]] as const) {
    it(`refuse ${what}`, () => {
      assert.throws(() => readOptions(flags))
    })
  }
})
