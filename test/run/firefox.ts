import { findExecutable } from './executable.ts'

const commands = ['firefox', 'firefox-esr']

export const howToGetFirefox = 'install Firefox, or set FIREFOX_PATH to its executable'

/**
 * Finds a Firefox to test in: FIREFOX_PATH, then the system's.
 *
 * @throws {Error} where FIREFOX_PATH names no executable
 */
export function findFirefox (env: NodeJS.ProcessEnv = process.env): string | undefined {
  return findExecutable('FIREFOX_PATH', commands, env)
}
