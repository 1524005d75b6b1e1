import type { Section } from './chart.ts'
import type { Chapter } from './sections-of.ts'

type Conditions = Section['conditions']

/**
 * The conditions of a chapter, each where it is said once
 */
export interface SharedConditions {
  /**
   * What all of its sections rest on; empty where it has one
   */
  readonly chapter: Conditions
  readonly runs: ReadonlyArray<{
    /**
     * What all sections of the run rest on beyond that; empty where it has one
     */
    readonly run: Conditions
    /**
     * What each of them rests on by itself
     */
    readonly sections: readonly Conditions[]
  }>
}

/**
 * Finds what the sections of a chapter have in common, so that nobody has to read it with each of them. What a run
 * was measured on is a condition of its sections, too.
 */
export function shareConditions ({ runs }: Chapter): SharedConditions {
  const all = runs.map(({ machine, sections }) => sections.map(({ conditions }): Conditions => [['measured on', machine], ...conditions]))
  const chapter = commonOf(all.flat())

  return {
    chapter,
    runs: all.map(sections => {
      const own = sections.map(conditions => without(conditions, chapter))
      const run = commonOf(own)

      return { run, sections: own.map(conditions => without(conditions, run)) }
    })
  }
}

/**
 * Says of which sections a run's conditions are, which stand before them.
 */
export function sayNext (sections: readonly unknown[]): string {
  return `Conditions of the next ${sections.length} sections`
}

function commonOf ([first, ...others]: readonly Conditions[]): Conditions {
  return first == null || others.length === 0 ? [] : first.filter(condition => others.every(conditions => has(conditions, condition)))
}

function without (conditions: Conditions, said: Conditions): Conditions {
  return conditions.filter(condition => !has(said, condition))
}

function has (conditions: Conditions, [word, what]: Conditions[number]): boolean {
  return conditions.some(condition => condition[0] === word && condition[1] === what)
}
