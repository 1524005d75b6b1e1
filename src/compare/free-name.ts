import { base32 } from 'multiformats/bases/base32'
import { createBlock, encodeEntry, rawCode } from '../codec/index.ts'
import { isNameTooLong } from '../path.ts'
import type { Entry } from '../codec/index.ts'

const hashCharacters = 8
// what is longer is hardly what tells programs the type of a file
const maxExtensionCharacters = 16

/**
 * A name for an entry that must go from its own, made of that name and a hash of the entry: `notes.txt` becomes
 * `notes~k5m7nqz2.txt`. The same entry gets the same name, whoever merges; more of the hash is taken where that one is
 * taken already, and a number after it where all of it is.
 */
export async function freeName (entry: Entry, isTaken: (name: string) => Promise<boolean>): Promise<string> {
  const { cid } = await createBlock(rawCode, encodeEntry(entry))
  const hash = base32.baseEncode(cid.multihash.digest)

  for (let length = hashCharacters, number = 1; ; length += hashCharacters, number++) {
    const name = insert(entry.name, length <= hash.length ? `~${hash.slice(0, length)}` : `~${hash}-${number}`)

    if (!await isTaken(name)) {
      return name
    }
  }
}

function insert (name: string, suffix: string): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= maxExtensionCharacters
  const extension = hasExtension ? name.slice(dot) : ''
  const stem = Array.from(hasExtension ? name.slice(0, dot) : name)

  while (isNameTooLong(stem.join('') + suffix + extension)) {
    stem.pop()
  }

  return stem.join('') + suffix + extension
}
