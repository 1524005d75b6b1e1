import { execa } from 'execa'
import { formatCounts } from './counts.ts'
import { runSuite } from './run-suite.ts'
import { fastSuite } from './suites.ts'

/**
 * `npm run check`, after the build: the linter, and beside it the tests that are fast. Ends within three minutes on two cores.
 */
const linting = execa('aegir', ['lint'], { preferLocal: true, reject: false, stdin: 'ignore', all: true })
const { counts } = await runSuite(fastSuite, {}, line => { process.stdout.write(`${line}\n`) })
const lint = await linting

process.stdout.write(`\n${lint.all}\n\n== tests: ${formatCounts(counts)}\n== lint: ${lint.failed ? 'failed' : 'ok'}\n`)
process.exitCode = lint.failed || counts.failed > 0 ? 1 : 0
