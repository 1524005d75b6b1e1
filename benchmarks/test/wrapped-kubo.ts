import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findKubo } from '../src/tools/find-kubo.ts'
import { temporary } from './temporary.ts'

export interface WrappedKubo {
  readonly binary: string
  /**
   * The arguments of every call so far
   */
  calls(): Promise<string[]>
  /**
   * Whether any process that it became is still there
   */
  isRunning(): Promise<boolean>
}

/**
 * Puts a shell script before the real Kubo that writes down what it is called
 * with; `script` may meddle with the arguments before they go on.
 */
export async function wrappedKubo (script: string = ''): Promise<WrappedKubo> {
  const directory = await temporary()
  const binary = join(directory, 'ipfs')
  const log = join(directory, 'log')
  const pids = join(directory, 'pids')
  const linesOf = async (file: string): Promise<string[]> => (await readFile(file, 'utf8')).split('\n').filter(line => line !== '')
  const { binary: kubo } = await findKubo(() => {}, new AbortController().signal)

  await writeFile(log, '')
  await writeFile(pids, '')
  await writeFile(binary, `#!/bin/sh\necho $$ >> '${pids}'\necho "$*" >> '${log}'\n${script}\nexec '${kubo}' "$@"\n`)
  await chmod(binary, 0o755)

  return {
    binary,
    calls: async () => linesOf(log),
    isRunning: async () => (await linesOf(pids)).map(Number).some(exists)
  }
}

function exists (pid: number): boolean {
  try {
    // sends nothing, and throws where there is nobody to send it to
    return process.kill(pid, 0)
  } catch (err) {
    assert.ok(err instanceof Error && 'code' in err && err.code === 'ESRCH')

    return false
  }
}
