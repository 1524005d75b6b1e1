import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidOptionError } from '../../errors.ts'
import { pathOption } from '../../options.ts'

/**
 * The absolute path of the file that was named, as of the directory that the process is in now. SQLite would take some names for
 * a database in memory or for a URI, which no path is.
 *
 * @throws {InvalidOptionError} where it cannot be the path of a file
 */
export function rootsPath (file: string | URL): string {
  const path = pathOption('file', file instanceof URL ? pathOfUrl(file) : file, 'must be the path or URL of a file')

  if (/[\\/]$/.test(path.replaceAll('\\', backslash))) {
    throw new InvalidOptionError('file', 'must be the path of a file')
  }

  if (path === ':memory:') {
    throw new InvalidOptionError('file', 'must be the path of a file; for roots in memory there is memoryRoots()')
  }

  if (/^file:/i.test(path)) {
    throw new InvalidOptionError('file', 'must be a path or a URL object; write ./ before a name that begins with file:')
  }

  return resolve(path)
}

// a character of names but on Windows
const backslash = process.platform === 'win32' ? '/' : 'x'

function pathOfUrl (url: URL): string {
  if (url.search !== '' || url.hash !== '') {
    throw new InvalidOptionError('file', 'must be the URL of a file, without a query or fragment: pathToFileURL() encodes ? and #')
  }

  try {
    return fileURLToPath(url)
  } catch (err) {
    throw new InvalidOptionError('file', 'must be the path or URL of a file', { cause: err })
  }
}
