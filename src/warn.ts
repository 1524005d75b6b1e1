import { emitWarning } from 'node:process'

/** Says what nobody asked for and whoever runs the program should know, by a warning of the process. */
export function warn (code: string, message: string): void {
  emitWarning(message, { type: 'DagfsWarning', code })
}
