import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, it } from 'node:test'
import { measureSubjects } from '../src/harness/measure-subjects.ts'
import { temporary } from './temporary.ts'
import type { Subject } from '../src/harness/measure-subjects.ts'

const ITERATIONS = 2

/**
 * What happened while subjects were measured, the system's `sync` included
 */
async function eventsOf (flushedBy: Subject['flushedBy']): Promise<string> {
  const directory = await temporary()
  const log = join(directory, 'log')
  const { PATH } = process.env

  await writeFile(log, '')
  await writeFile(join(directory, 'sync'), `#!/bin/sh\nprintf 'sync ' >> '${log}'\n`)
  await chmod(join(directory, 'sync'), 0o755)
  process.env.PATH = [directory, PATH].join(delimiter)

  try {
    await measureSubjects([{ key: 'a', flushedBy }], {
      options: { iterations: ITERATIONS, minTimeMs: 0 },
      progress: () => {},
      signal: new AbortController().signal,
      start: () => ({
        functions: {
          open: async () => ({ version: '', options: {} }),
          check: async () => ({ cid: 'bafy' }),
          async round () {
            await writeFile(log, 'round ', { flag: 'a' })

            return { ms: 1, cid: 'bafy' }
          },
          peakMemory: async () => 0
        },
        stop: async () => {}
      }),
      init: () => ({})
    })
  } finally {
    process.env.PATH = PATH
  }

  return (await readFile(log, 'utf8')).trim()
}

describe('a subject', () => {
  it('is flushed before each round if its parent flushes', async () => {
    assert.equal(await eventsOf('parent'), 'sync round sync round')
  })

  it('is not flushed if its own process flushes or it works in memory', async () => {
    assert.equal(await eventsOf('process'), 'round round')
    assert.equal(await eventsOf('nobody'), 'round round')
  })
})
