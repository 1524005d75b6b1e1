import { mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cases } from './cases/index.ts'
import { describeError } from './harness/describe-error.ts'
import { withInterruption } from './harness/interruption.ts'
import { journalOf } from './harness/journal.ts'
import { describeMade } from './harness/made.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { TimeLeft } from './harness/time-left.ts'
import { withProgress } from './harness/with-progress.ts'
import { readList } from './read-flags.ts'
import { writePage } from './report/write-page.ts'
import { withResumed } from './run-case.ts'
import { packageRoot } from './tools/package-root.ts'
import type { Case } from './cases/case.ts'
import type { RunContext } from './harness/parts.ts'
import type { CaseReport, Unavailable } from './report/chart.ts'

export interface AllFlags {
  readonly cases?: unknown
  readonly report?: string
  readonly resume?: string
}

interface AllReports {
  readonly reports: readonly CaseReport[]
  readonly failed: readonly Unavailable[]
}

const JOURNAL = 'measured.jsonl'

/**
 * Runs all cases one after the other and writes one page of them. A case that
 * fails stands there with its error, and the others go on.
 */
export async function runAll ({ cases: keys, report: given, resume }: AllFlags): Promise<void> {
  const chosen = choose(readList(keys))
  const directory = given == null ? fileURLToPath(new URL('report', packageRoot)) : resolveGiven(given)
  const journal = resume == null ? join(directory, JOURNAL) : resolveGiven(resume)

  await mkdir(directory, { recursive: true })

  if (resume == null) {
    await rm(journal, { force: true })
  }

  await withInterruption(async signal => {
    const { reports, failed } = await withResumed(journal, { all: chosen.map(({ key }) => key) }, async kept => {
      return withProgress(async progress => runEach(chosen, { progress, signal, journal: kept }))
    })
    const faults = [
      ...reports.flatMap(report => caseOf(report.case).show(report).faults.map(fault => `${report.case}: ${fault}`)),
      ...failed.map(({ what, reason }) => `${what}: ${reason}`)
    ]

    process.stdout.write(`${await writePage(reports, directory, failed)}\n`)

    if (faults.length > 0) {
      process.stdout.write(`\n${faults.map(fault => `FAILED  ${fault}`).join('\n')}\n`)
      process.exitCode = 1
    }

    if (signal.aborted) {
      process.stderr.write(`interrupted; npm start -- all --resume ${relative(process.env.INIT_CWD ?? '', journal)} goes on\n`)
    }
  })
}

async function runEach (chosen: readonly Case[], { progress, signal, journal }: RunContext): Promise<AllReports> {
  const timeLeft = new TimeLeft(chosen.map(({ minutes }) => minutes), 60_000)
  const reports: CaseReport[] = []
  const failed: Unavailable[] = []
  const made = await describeMade(process.argv.slice(2))

  for (const [index, { key, prepare }] of chosen.entries()) {
    if (signal.aborted) {
      break
    }

    timeLeft.begin(index)

    try {
      const { run } = await prepare(undefined, process.env)

      const report = await run({
        progress: line => { progress(`${key} (${timeLeft.say()}): ${line}`) },
        signal,
        journal: journalOf(journal, key)
      })

      reports.push({ ...report, made })
    } catch (err) {
      failed.push({ what: key, reason: describeError(err) })
    }

    timeLeft.done()
  }

  return { reports, failed }
}

function choose (keys: readonly string[] | undefined): readonly Case[] {
  return keys == null ? cases : keys.map(caseOf)
}

function caseOf (key: string): Case {
  const found = cases.find(candidate => candidate.key === key)

  if (found == null) {
    throw new Error(`there is no case ${key}; there are ${cases.map(candidate => candidate.key).join(', ')}`)
  }

  return found
}
