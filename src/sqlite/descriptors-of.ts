import fs from 'node:fs'

/** How many descriptors of this process, of whichever thread, are of a file. As many as can be where the system does not tell. */
export function descriptorsOf (file: Pick<fs.BigIntStats, 'dev' | 'ino'>): number {
  if (process.platform === 'win32') {
    // locks are of a handle there, and end with that alone
    return 0
  }

  const names = descriptorNames()

  return names === undefined ? Infinity : names.filter(name => isOf(Number(name), file)).length
}

function descriptorNames (): string[] | undefined {
  try {
    return fs.readdirSync('/dev/fd')
  } catch {
    // sandboxes may be without it
    return undefined
  }
}

function isOf (descriptor: number, { dev, ino }: Pick<fs.BigIntStats, 'dev' | 'ino'>): boolean {
  try {
    const found = fs.fstatSync(descriptor, { bigint: true })

    return found.dev === dev && found.ino === ino
  } catch {
    // closed meanwhile, as that of the listing is
    return false
  }
}
