// small stores are synced once
const earlySyncBytes = 32 * 2 ** 20

/**
 * Has the disk begin with what was written, so that who waits for a sync later waits for the last of it alone. Whoever is told of
 * bytes that were written syncs in the background, once at a time; a failure is for `sync` to keep.
 */
export function earlySync (sync: () => Promise<void>): (bytes: number) => void {
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
