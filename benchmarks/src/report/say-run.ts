import { sayMachine } from '../harness/machine.ts'
import type { CaseReport } from './chart.ts'

/**
 * Says in words what figures were measured on, by which command, and of which
 * commit.
 */
export function sayRun ({ machine, made }: Pick<CaseReport, 'machine' | 'made'>): string {
  return made == null ? sayMachine(machine) : `${sayMachine(machine)} By \`${made.command}\`${made.commit == null ? '' : `, of commit ${made.commit}`}.`
}
