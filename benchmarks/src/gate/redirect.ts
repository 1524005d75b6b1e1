import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../tools/package-root.ts'

/**
 * From now on, has this process load dagfs from a build: the package by its name
 * and what the benchmarks load from inside of it. What was loaded stays.
 */
export function redirectDagfs (build: string): void {
  const ours = new URL('../dist/', packageRoot).href
  const theirs = pathToFileURL(join(build, 'dist/')).href
  // a package finds itself by its own name
  const parentURL = pathToFileURL(join(build, 'package.json')).href

  registerHooks({
    resolve (specifier, context, next) {
      if (specifier === 'dagfs' || specifier.startsWith('dagfs/')) {
        return next(specifier, { ...context, parentURL })
      }

      return next(specifier.startsWith(ours) ? `${theirs}${specifier.slice(ours.length)}` : specifier, context)
    }
  })
}
