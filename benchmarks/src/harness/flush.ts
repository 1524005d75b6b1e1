import { execa } from 'execa'

/**
 * Has the system write out what the rounds before left in its cache, so that
 * no contender pays for another one's unsynced blocks.
 */
export async function flushToDisk (): Promise<void> {
  if (process.platform !== 'win32') {
    await execa('sync')
  }
}
