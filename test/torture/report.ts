import { parts } from './parts.ts'
import type { State } from './state.ts'

/** How far a part is, how long it took, and how long it will */
export function progressLine (state: State, before: State, count: number, unit: string): string {
  const [done, ms] = [state.units - before.units, state.ms - before.ms]
  const left = done === 0 ? '' : `, ${duration((count - state.units) * ms / done)} left`
  const found = state.violations === 0 ? 'nothing found' : `${state.violations} VIOLATIONS`

  return `${state.part}: ${state.units.toLocaleString('en')} of ${count.toLocaleString('en')} ${unit} in ${duration(state.ms)}, ${found}${state.units < count ? left : ''}`
}

/** A table of Markdown: what was run, with which seed, how long, and what came of it */
export function tableOf (states: readonly State[]): string {
  const rows = states.map(({ part, seed, units, ms, violations, worst, at, node, commit }) => {
    const { full, unit } = parts[part]
    const counted = `${units.toLocaleString('en')} ${unit}${units < full ? ` (full size: ${full.toLocaleString('en')})` : ''}`
    const seen = Object.entries(worst).map(([what, value]) => `${what}: ${figure(value)}`).join('; ')

    return `| \`${part}\` | ${counted} | ${violations} | ${seen} | ${duration(ms)} | ${seed} | ${at.slice(0, 10)}, ${node} | ${commit ?? '–'} |`
  })

  return ['| part | done | violations | the worst seen | time | seed | when | commit |', '|---|---|---|---|---|---|---|---|', ...rows].join('\n')
}

function figure (value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 2 : Math.ceil(Math.log10(value + 1)) })
}

function duration (ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))

  if (seconds < 60) {
    return `${seconds} s`
  }

  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${Math.floor(seconds / 3_600)} h ${Math.floor(seconds % 3_600 / 60)} min`
}
