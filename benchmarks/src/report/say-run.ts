import { sayMachine } from '../harness/machine.ts'
import type { CaseReport } from './chart.ts'

/**
 * Says in words what figures were measured on, by which command, of which
 * commit, and in how many sittings where they are several.
 */
export function sayRun ({ machine, made }: Pick<CaseReport, 'machine' | 'made'>): string {
  if (made == null) {
    return sayMachine(machine)
  }

  const { command, commit, sittings = 1 } = made

  return [
    sayMachine(machine),
    `By \`${command}\`${commit == null ? '' : `, of commit ${commit}`}.`,
    ...sittings > 1 ? [`Measured in ${sittings} sittings: the run was interrupted and went on.`] : []
  ].join(' ')
}
