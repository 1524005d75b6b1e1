import { readManifest } from './architecture/sources.ts'

// what `npm ci` installs and all scripts run on
const followed = majorOf(readManifest().devDependencies.node)

/** Whether this is the major version of Node.js that the API follows. */
export const isFollowedRelease = majorOf(process.versions.node) === followed

/**
 * Tests that compare with Node.js itself. They are skipped on another major version than the API follows: versions differ in their
 * messages, options and globs, and the API does not change with the version that it runs on.
 *
 * @param title - what is compared
 */
export function describeBesideNode (title: string, tests: (this: Mocha.Suite) => void): void {
  if (isFollowedRelease) {
    describe(title, tests)
  } else {
    describe.skip(`${title}, which is Node.js ${followed} and not ${process.versions.node}`, tests)
  }
}

function majorOf (version: string): number {
  return Number(version.split('.')[0])
}
