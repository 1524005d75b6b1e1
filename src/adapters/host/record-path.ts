import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { InvalidOptionError } from '../../errors.ts'
import { removeUnfinished } from './remove-unfinished.ts'

const temporaryEnd = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/
// no other import is at one for so long: it is written to without a break
const leftoverMs = 600_000
// as many as Linux follows
const maxLinks = 40

/**
 * The file that a record is kept in, whether or not it is there: where links lead to it, it is that which they lead to.
 *
 * @throws {InvalidOptionError} where something else than a regular file stands there: to open a pipe would wait for ever
 */
export function recordFileAt (record: string): string {
  let file = record

  for (let links = 0; links <= maxLinks; links++) {
    const found = lookAt(file)

    if (found === undefined || found.isFile()) {
      return file
    }

    if (!found.isSymbolicLink()) {
      break
    }

    const target = fs.readlinkSync(file)
    const directory = realPathIfThere(path.dirname(file)) ?? path.dirname(file)
    // not normalized: a name before `..` may be a link as well
    file = path.isAbsolute(target) ? target : `${directory}${path.sep}${target}`
  }

  throw new InvalidOptionError('record', 'must name a regular file, or a link to one', { path: record })
}

/** Where a record is written that is to take the place of one; another import of this process may be at the same. */
export function temporaryBeside (file: string): string {
  return `${file}.${randomUUID()}.tmp`
}

/** Removes what imports left beside a record that were killed while they wrote it anew, as far as that can be done. */
export function removeLeftovers (file: string): void {
  const directory = path.dirname(file)

  for (const name of namesIn(directory)) {
    const leftover = path.join(directory, name)
    const found = isTemporary(name, path.basename(file)) ? lookAt(leftover) : undefined

    if (found?.isFile() === true && found.mtimeMs < Date.now() - leftoverMs) {
      removeUnfinished(leftover)
    }
  }
}

/**
 * Returns which files, as a walk from a directory comes across them, are those of a record: they change with every import.
 * Whichever links the two are named through, they are found.
 */
export function recordBelow (directory: string, record: string): (hostPath: string) => boolean {
  const places = [...new Set([record, recordFileAt(record)])].flatMap(file => placeBelow(directory, file) ?? [])

  return hostPath => places.some(place => hostPath.startsWith(place) && (hostPath.length === place.length || isTemporary(hostPath, place)))
}

function isTemporary (name: string, record: string): boolean {
  return name.startsWith(record) && temporaryEnd.test(name.slice(record.length))
}

/** A path that no walk comes across, or none, where the file is elsewhere. */
function placeBelow (directory: string, file: string): string | undefined {
  const realDirectory = realPathIfThere(directory)
  const realParent = realPathIfThere(path.dirname(file))

  return realDirectory === undefined || realParent === undefined
    ? undefined
    : path.join(directory, path.relative(realDirectory, realParent), path.basename(file))
}

function realPathIfThere (directory: string): string | undefined {
  try {
    return fs.realpathSync.native(directory)
  } catch {
    // whoever reads the directory, or writes the record, will say why
    return undefined
  }
}

function lookAt (file: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(file)
  } catch {
    // whoever reads it will say why that cannot be done
    return undefined
  }
}

function namesIn (directory: string): string[] {
  try {
    return fs.readdirSync(directory)
  } catch {
    // a directory may be closed to its lister, and leftovers do no harm
    return []
  }
}
