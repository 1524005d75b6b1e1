import fs from 'node:fs'

/** Removes what could not be made in full, as far as that can be done: why it could not is what the caller has to hear. */
export function removeUnfinished (hostPath: string): void {
  try {
    fs.unlinkSync(hostPath)
  } catch {
    // it is gone, or stays
  }
}
