import { resolve } from 'node:path'

/**
 * Resolves a path that a user gave from where the user is: npm runs scripts in
 * their package, and tells where it was started.
 */
export function resolveGiven (path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path)
}
