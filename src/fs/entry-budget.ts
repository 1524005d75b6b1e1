import { LimitExceededError } from '../errors.ts'
import { integerOption } from '../options.ts'

/** A few hundred MB at most: blocks that link to the same ones again can make 2^40 paths of 41 blocks. */
export const defaultMaxEntries = 1_000_000

// names may have 255 bytes and lie 1,024 deep, so that entries alone bound no memory
const charactersPerEntry = 256

/**
 * Counts what a call holds of a tree, which may have any number of paths: to be given the path of each entry.
 *
 * @param path - of the directory that errors are to name
 *
 * @throws {LimitExceededError} from the entry on that is more than allowed; a long path counts once more for every 256 characters
 */
export function entryBudget (path: string, maxEntries = defaultMaxEntries): (found: string) => void {
  let left = integerOption('maxEntries', maxEntries)

  return found => {
    left -= 1 + Math.floor(found.length / charactersPerEntry)

    if (left < 0) {
      throw new LimitExceededError(`more than ${maxEntries} entries; use walk(), or raise maxEntries if you trust the tree`, { path })
    }
  }
}
