import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'

/** What mocha's JSON reporter tells of a test */
interface TimedTest {
  readonly fullTitle: string
  readonly file: string
  /** In milliseconds; missing where the test did not run */
  readonly duration?: number
}

/**
 * `npm run test:slowest`, after the build: runs the tests of Node.js, or the files that are given, and lists the slowest files and
 * tests. Hooks are not counted.
 */
const given = process.argv.slice(2)
const files = given.length > 0 ? given : ['dist/test/**/*.{spec,node}.js']
const shown = 40
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-slowest-'))
const report = path.join(directory, 'report.json')

try {
  const { exitCode } = await execa('mocha', ['--timeout', '60000', '--reporter', 'json', '--reporter-option', `output=${report}`, ...files], {
    preferLocal: true,
    reject: false,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const { tests, stats }: { tests: TimedTest[], stats: { passes: number, failures: number } } = JSON.parse(fs.readFileSync(report, 'utf8'))

  print('Seconds by file', sumByFile(tests))
  print('Seconds by test', tests.map(({ duration = 0, fullTitle }) => [duration, fullTitle]))
  process.stdout.write(`\n${stats.passes} passed, ${stats.failures} failed\n`)
  process.exitCode = exitCode
} finally {
  fs.rmSync(directory, { recursive: true, force: true })
}

function sumByFile (tests: readonly TimedTest[]): Array<[durationMs: number, file: string]> {
  const byFile = Map.groupBy(tests, ({ file }) => path.relative(process.cwd(), file))

  return [...byFile].map(([file, ofFile]) => [ofFile.reduce((sum, { duration = 0 }) => sum + duration, 0), file])
}

function print (heading: string, rows: Array<[durationMs: number, name: string]>): void {
  process.stdout.write(`\n${heading}\n`)

  for (const [durationMs, name] of rows.sort(([a], [b]) => b - a).slice(0, shown)) {
    process.stdout.write(`${(durationMs / 1_000).toFixed(1).padStart(8)}  ${name}\n`)
  }
}
