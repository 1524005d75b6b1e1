/** Says what nobody asked for and whoever runs the program should know, in the console. */
export function warn (code: string, message: string): void {
  // eslint-disable-next-line no-console
  console.warn(`DagfsWarning [${code}]: ${message}`)
}
