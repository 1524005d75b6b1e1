import fs from 'node:fs'
import path from 'node:path'
import { UnsupportedEntryError } from '../../errors.ts'

/** What a host can hold as a name, and which names it takes for one another. */
export interface NameRules {
  readonly isWindows: boolean
  readonly ignoresCase: boolean
}

// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const windowsDevices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
const windowsCharacters = /[<>:"|?*\\\p{Cc}]/u
const windowsEnd = /[. ]$/

/**
 * The rules of the host that a directory is on, found out by trying, which leaves its times as they were.
 */
export function hostNameRules (directory: string): NameRules {
  const { atimeNs, mtimeNs } = fs.statSync(directory, { bigint: true })
  const probe = fs.mkdtempSync(path.join(directory, '.dagfs-case-'))

  try {
    const upperCase = path.join(directory, path.basename(probe).toUpperCase())

    return { isWindows: process.platform === 'win32', ignoresCase: fs.existsSync(upperCase) }
  } finally {
    fs.rmdirSync(probe)
    setTimes(directory, atimeNs, mtimeNs)
  }
}

/** Of another user's directory that may not be done. */
function setTimes (directory: string, atimeNs: bigint, mtimeNs: bigint): void {
  try {
    fs.utimesSync(directory, String(Number(atimeNs) / 1e9), String(Number(mtimeNs) / 1e9))
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'EPERM')) {
      throw err
    }
  }
}

/** The rules of every common host together. */
export const portableNameRules: NameRules = { isWindows: true, ignoresCase: true }

/**
 * Checks the names of one directory as they come.
 */
export class NameCheck {
  readonly #rules: NameRules
  readonly #taken = new Set<string>()

  constructor (rules: NameRules) {
    this.#rules = rules
  }

  /**
   * @throws {UnsupportedEntryError} where the host cannot hold the name, or takes it for one that was there before
   */
  check (name: string, treePath: string): void {
    if (this.#rules.isWindows && (windowsDevices.test(name) || windowsCharacters.test(name) || windowsEnd.test(name))) {
      throw new UnsupportedEntryError('the host reserves this name; rename the entry', { path: treePath })
    }

    if (!this.#rules.ignoresCase) {
      return
    }

    const folded = foldName(name)

    if (this.#taken.has(folded)) {
      throw new UnsupportedEntryError('the host treats this name as that of another entry; rename one of them', { path: treePath })
    }

    this.#taken.add(folded)
  }
}

/** What a host that ignores case compares; it also takes composed and decomposed letters for one another. */
export function foldName (name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase()
}

/**
 * Checks that a symbolic link stays below the target of an export.
 *
 * Every directory on the way to a link is one that the export made, so `..` at the beginning of a link's target leads
 * where it seems to. Behind a name it may not: the name can be another link. Such targets are refused with those that
 * are absolute or climb out. A name can also be that of a link which the target has and the tree has not: where that leads is for
 * whoever put it there, and what is in the target may be exchanged after the export as well as before it.
 *
 * @throws {UnsupportedEntryError}
 */
export function checkLinkTarget (target: string, depth: number, treePath: string, { isWindows }: NameRules): void {
  const segments = target.split(isWindows ? /[/\\]/ : '/').filter(segment => segment !== '' && segment !== '.')
  const up = segments.findIndex(segment => segment !== '..')
  const climbs = up === -1 ? segments.length : up
  const isAbsolute = target.startsWith('/') || (isWindows && path.win32.isAbsolute(target)) || (isWindows && /^[a-z]:/i.test(target))

  if (isAbsolute || climbs > depth || segments.slice(climbs).includes('..')) {
    throw new UnsupportedEntryError('the symbolic link leads, or may lead, out of the target directory', { path: treePath })
  }
}
