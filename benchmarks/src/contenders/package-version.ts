import { readFile } from 'node:fs/promises'

/**
 * Returns `name version` from the package.json that the imported module
 * belongs to.
 */
export async function packageVersion (name: string): Promise<string> {
  let directory = new URL('.', import.meta.resolve(name))

  while (true) {
    const found = await readPackage(new URL('package.json', directory))

    if (found?.name === name) {
      return `${name} ${found.version}`
    }

    const parent = new URL('..', directory)

    if (parent.href === directory.href) {
      throw new Error(`no package.json of ${name} above ${import.meta.resolve(name)}`)
    }

    directory = parent
  }
}

async function readPackage (url: URL): Promise<{ name?: string, version?: string } | undefined> {
  try {
    return JSON.parse(await readFile(url, 'utf8'))
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') {
      return undefined
    }

    throw err
  }
}
