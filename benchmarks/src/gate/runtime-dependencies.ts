interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/**
 * What of a package-lock.json is read here
 */
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/**
 * Returns the packages that run with the root package, with their versions, as
 * text to compare: what else a lock file holds makes nothing faster or slower.
 */
export function runtimeDependencies ({ packages }: Lock): string {
  const found = new Map<string, string>()
  const pending = ['']

  for (let place = pending.pop(); place != null; place = pending.pop()) {
    for (const name of Object.keys(packages[place].dependencies ?? {})) {
      const at = resolve(packages, place, name)

      if (at != null && !found.has(at)) {
        found.set(at, `${packages[at].version} ${packages[at].integrity}`)
        pending.push(at)
      }
    }
  }

  return [...found].map(([at, what]) => `${at} ${what}`).sort().join('\n')
}

/**
 * As Node does: beside the one who asks, or in a directory above
 */
function resolve (packages: Lock['packages'], place: string, name: string): string | undefined {
  for (let directory = place; ; directory = directory.slice(0, Math.max(0, directory.lastIndexOf('/node_modules/')))) {
    const at = directory === '' ? `node_modules/${name}` : `${directory}/node_modules/${name}`

    if (Object.hasOwn(packages, at)) {
      return at
    }

    if (directory === '') {
      return undefined
    }
  }
}
