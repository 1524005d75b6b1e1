import { sayMissed } from '../harness/target.ts'
import type { RunContext } from '../harness/parts.ts'
import type { Target } from '../harness/target.ts'
import type { CaseReport, Section } from '../report/chart.ts'

/**
 * A thing to be measured: how it is asked for, run, printed and shown
 */
export interface CaseDefinition<F extends object, O, R extends CaseReport> {
  /**
   * Its name on the command line, and in the report under `case`
   */
  readonly key: R['case']
  readonly description: string
  /**
   * What each flag means, by how it is written: `--files <n>`. Every case also has
   * `--json`, `--report` and `--resume`
   */
  readonly flags: Readonly<Record<string, string>>
  /**
   * The flags that `npm start -- all` runs it with, and about how many minutes that
   * takes on two cores; it should not be more than eight
   */
  readonly all: { readonly flags: F, readonly minutes: number }

  readOptions(flags: F, env: Readonly<Record<string, string | undefined>>): O | Promise<O>

  /**
   * Measures. A contender that fails is a row; what this throws is a fault of the
   * case itself. After an interrupt it answers what there is, with `interrupted`
   * set
   */
  run(options: O, context: RunContext): Promise<R>

  /**
   * The report as text for a terminal
   */
  print(report: R): string

  /**
   * What makes the run fail besides targets that are broken, a sentence each
   */
  faults(report: R): readonly string[]

  /**
   * What the project wants of such a run, held against it; a broken one makes the run fail
   */
  targets?(report: R): readonly Target[]

  /**
   * What the page shows; pure
   */
  sections(report: R): readonly Section[]

  /**
   * The report as a README shows it below its pictures, in Markdown; what the page shows, where nothing
   * is said
   */
  readme?(report: R): string
}

/**
 * A case in the table of all cases, which knows its own types alone
 */
export interface Case {
  readonly key: string
  readonly description: string
  readonly flags: Readonly<Record<string, string>>
  readonly minutes: number
  /**
   * @param flags - as the command line's parser gives them; absent for those of `all`
   */
  prepare(flags: object | undefined, env: Readonly<Record<string, string | undefined>>): Promise<PreparedCase>
  show(report: CaseReport): ShownReport
  /**
   * Absent where the page's sections are what a README shows too
   */
  readme?(report: CaseReport): string
}

export interface PreparedCase {
  readonly options: object
  run(context: RunContext): Promise<CaseReport>
}

export interface ShownReport {
  readonly text: string
  readonly faults: readonly string[]
  readonly targets: readonly Target[]
  readonly sections: readonly Section[]
}

export function defineCase <F extends object, O extends object, R extends CaseReport> (definition: CaseDefinition<F, O, R>): Case {
  const { key, description, flags, all, readme } = definition
  // what has the case's name was written by it
  const ownOf = (report: CaseReport): R => {
    if (report.case !== key) {
      throw new Error(`a report of ${report.case} cannot be shown as ${key}`)
    }

    return report as R
  }

  return {
    key,
    description,
    flags,
    minutes: all.minutes,
    async prepare (given, env) {
      // the parser knows no types but these flags' own
      const options = await definition.readOptions(given as F ?? all.flags, env)

      return { options, run: async context => definition.run(options, context) }
    },
    show (report) {
      const own = ownOf(report)
      const targets = definition.targets?.(own) ?? []

      return { text: definition.print(own), faults: [...definition.faults(own), ...sayMissed(targets)], targets, sections: definition.sections(own) }
    },
    ...readme == null ? {} : { readme: report => readme(ownOf(report)) }
  }
}
