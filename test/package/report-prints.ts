import path from 'node:path'
import { format } from 'node:util'

/**
 * Loaded in front of an example: prints each `console.log` as JSON, with the line of the example that it stands on. The example
 * runs as it is written.
 */
const place = new RegExp(`${path.basename(process.argv[1] ?? '')}:(\\d+):\\d+`)

// eslint-disable-next-line no-console
console.log = (...values: readonly unknown[]): void => {
  const [, line] = place.exec(new Error().stack ?? '') ?? []

  process.stdout.write(`${JSON.stringify({ line: Number(line), text: format(...values) })}\n`)
}
