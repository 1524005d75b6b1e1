import assert from 'node:assert/strict'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { memoryDirectory } from '../src/harness/memory-directory.ts'

describe('the directory for files in memory', () => {
  it('is TMPDIR if set', async () => {
    const before = process.env.TMPDIR

    process.env.TMPDIR = import.meta.dirname

    try {
      assert.equal(await memoryDirectory(), import.meta.dirname)
    } finally {
      if (before == null) {
        delete process.env.TMPDIR
      } else {
        process.env.TMPDIR = before
      }
    }
  })

  it('is a tmpfs with space, or the directory for temporary files', async () => {
    const directory = await memoryDirectory()
    const { type, bavail, bsize } = await statfs(directory)

    assert.ok(directory === tmpdir() || (type === 0x1021994 && bavail * bsize >= 2 ** 30), directory)
  })
})
