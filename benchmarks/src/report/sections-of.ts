import { cases } from '../cases/index.ts'
import { sayRun } from './say-run.ts'
import type { CaseReport, Section, Unavailable } from './chart.ts'
import type { JudgedTarget } from './judged-targets.ts'
import type { Target } from '../harness/target.ts'

/**
 * What a page shows of one case
 */
export interface Chapter {
  readonly key: string
  readonly description: string
  /**
   * Runs of the case, each with what it was measured on; none where it was not run
   */
  readonly runs: readonly Run[]
  /**
   * Why there is no run
   */
  readonly missing?: string
}

export interface Run {
  readonly machine: string
  readonly interrupted?: string
  readonly sections: readonly Section[]
  /**
   * What the project wants of such a run, held against it
   */
  readonly targets: readonly Target[]
}

/**
 * All targets that chapters were held against, with the key of their case.
 */
export function targetsOf (chapters: readonly Chapter[]): JudgedTarget[] {
  return chapters.flatMap(({ key, runs }) => runs.flatMap(({ targets }) => targets.map(target => ({ of: key, ...target }))))
}

/**
 * Has every case say what it shows of its reports. One that has none is a chapter that says so.
 */
export function sectionsOf (reports: readonly CaseReport[], failed: readonly Unavailable[]): Chapter[] {
  const unknown = reports.find(report => cases.every(({ key }) => key !== report.case))

  if (unknown != null) {
    throw new Error(`there is no case ${unknown.case}`)
  }

  return cases.map(({ key, description, show }) => {
    const runs = reports.filter(report => report.case === key).map(report => {
      const { sections, targets } = show(report)

      return { machine: sayRun(report), interrupted: report.interrupted, sections, targets }
    })
    const failure = failed.find(({ what }) => what === key)?.reason

    return {
      key,
      description,
      runs,
      ...runs.length > 0 ? {} : { missing: failure == null ? 'It was not run.' : `It failed: ${failure}` }
    }
  })
}
