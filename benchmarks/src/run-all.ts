import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cases } from './cases/index.ts'
import { describeError } from './harness/describe-error.ts'
import { withInterruption } from './harness/interruption.ts'
import { journalOf, setAside, watchedJournal } from './harness/journal.ts'
import { describeMade, resumingCommand } from './harness/made.ts'
import { resolveGiven } from './harness/resolve-given.ts'
import { withSittings } from './harness/sittings.ts'
import { TimeLeft } from './harness/time-left.ts'
import { withProgress } from './harness/with-progress.ts'
import { readList } from './read-flags.ts'
import { writePage } from './report/write-page.ts'
import { withResumed } from './run-case.ts'
import { packageRoot } from './tools/package-root.ts'
import type { Case, PreparedCase } from './cases/case.ts'
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
  const chosen = choose(readList('cases', keys))
  const directory = given == null ? fileURLToPath(new URL('report', packageRoot)) : resolveGiven(given)
  const journal = resume == null ? join(directory, JOURNAL) : resolveGiven(resume)

  await mkdir(directory, { recursive: true })

  const aside = resume == null ? await setAside(journal) : undefined

  if (aside != null) {
    process.stderr.write(`what an earlier run has measured is in ${relative(process.env.INIT_CWD ?? '', aside)} now, to be given to --resume, until the next run begins\n`)
  }

  await withInterruption(async signal => {
    const prepared = await Promise.all(chosen.map(prepareCase))
    const identity = { all: prepared.map(one => ({ case: one.subject.key, options: 'ready' in one ? one.ready.options : null })) }
    const { reports, failed } = await withResumed(journal, identity, async kept => {
      return withProgress(async progress => runEach(prepared, { progress, signal, journal: kept }))
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
      process.stderr.write(`interrupted; ${resumingCommand(process.argv.slice(2), process.env, relative(process.env.INIT_CWD ?? '', journal))} goes on\n`)
    }
  })
}

/**
 * A case with the options that it runs with, or why it cannot run
 */
type Prepared =
  | { readonly subject: Case, readonly ready: PreparedCase }
  | { readonly subject: Case, readonly reason: string }

async function prepareCase (subject: Case): Promise<Prepared> {
  try {
    return { subject, ready: await subject.prepare(undefined, process.env) }
  } catch (err) {
    return { subject, reason: describeError(err) }
  }
}

async function runEach (prepared: readonly Prepared[], { progress, signal, journal }: RunContext): Promise<AllReports> {
  const timeLeft = new TimeLeft(prepared.map(({ subject }) => subject.minutes), 60_000)
  const reports: CaseReport[] = []
  const failed: Unavailable[] = []
  const made = await describeMade(process.argv.slice(2), process.env)

  for (const [index, one] of prepared.entries()) {
    const { key } = one.subject

    if (signal.aborted) {
      break
    }

    timeLeft.begin(index)

    if ('reason' in one) {
      failed.push({ what: key, reason: one.reason })
      continue
    }

    const kept = watchedJournal(journalOf(journal, key))
    const sittings = withSittings(kept.journal)

    try {
      const report = await one.ready.run({
        progress: line => { progress(`${key} (${timeLeft.say()}): ${line}`) },
        signal,
        journal: sittings.journal
      })

      reports.push({ ...report, made: { ...made, sittings: sittings.count() } })

      // a part that was there already took no time
      if (!kept.hasGiven()) {
        timeLeft.done()
      }
    } catch (err) {
      // what an interrupt breaks off did not fail
      if (signal.aborted) {
        break
      }

      failed.push({ what: key, reason: describeError(err) })
    }
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
