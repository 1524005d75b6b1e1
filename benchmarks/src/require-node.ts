const OLDEST_NODE = 22

/**
 * Says in one sentence where this Node is too old to go on, and returns whether
 * it is not.
 */
export function requireNode (version: string = process.versions.node): boolean {
  if (Number(version.split('.')[0]) >= OLDEST_NODE) {
    return true
  }

  process.stderr.write(`The benchmarks need Node ${OLDEST_NODE} or newer, and this is Node ${version}: start them with npm start, which uses the Node that npm ci installed.\n`)
  process.exitCode = 1

  return false
}
