/**
 * Has the disk begin with what was written, so that who waits for a sync later waits for the last of it alone. Whoever is told of
 * bytes that were written syncs in the background, once at a time; a failure is for `sync` to keep.
 *
 * @param sync - what syncs
 * @param earlySyncBytes - how much is written before it is begun with
 */
export function earlySync (sync: () => Promise<void>, earlySyncBytes: number): (bytes: number) => void {
  let unsynced = 0
  let isSyncing = false

  return bytes => {
    unsynced += bytes

    if (unsynced >= earlySyncBytes && !isSyncing) {
      unsynced = 0
      isSyncing = true
      sync().catch(() => {}).finally(() => { isSyncing = false })
    }
  }
}
