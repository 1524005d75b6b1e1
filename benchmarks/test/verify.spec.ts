import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { verify } from '../src/harness/verify.ts'
import { temporary } from './temporary.ts'
import type { StoredEntry } from '../src/contenders/index.ts'

const FILE = file('sub/file.txt', 'he', 'llo')
const LINK: StoredEntry = { path: 'link', kind: 'link', target: 'sub/file.txt' }
const SUB: StoredEntry = { path: 'sub', kind: 'directory' }
const EMPTY: StoredEntry = { path: 'empty', kind: 'directory' }

const faults: ReadonlyArray<readonly [fault: string, stored: readonly StoredEntry[], message: RegExp]> = [
  ['a changed byte', [file('sub/file.txt', 'hellO'), LINK, SUB, EMPTY], /bytes of sub\/file.txt differ/],
  ['a missing byte', [file('sub/file.txt', 'hell'), LINK, SUB, EMPTY], /5 bytes in the source, and 4/],
  ['a byte too many', [file('sub/file.txt', 'hello!'), LINK, SUB, EMPTY], /bytes of sub\/file.txt differ/],
  ['a file without content', [file('sub/file.txt'), LINK, SUB, EMPTY], /5 bytes in the source, and 0/],
  ['a missing entry', [FILE, LINK, SUB], /not stored: 1 entries, the first empty/],
  ['an entry too many', [FILE, LINK, SUB, EMPTY, file('more', '')], /not in the source or stored twice: more/],
  ['an entry stored twice', [FILE, FILE, LINK, SUB, EMPTY], /stored twice: sub\/file.txt/],
  ['a link that was followed', [FILE, file('link', 'hello'), SUB, EMPTY], /link is a link in the source, and was stored as a file/],
  ['another target', [FILE, { ...LINK, target: 'elsewhere' }, SUB, EMPTY], /links to sub\/file.txt in the source, and to elsewhere/]
]

function file (path: string, ...pieces: string[]): StoredEntry {
  return {
    path,
    kind: 'file',
    async * content () {
      yield * pieces.map(piece => new TextEncoder().encode(piece))
    }
  }
}

async function * stream (entries: readonly StoredEntry[]): AsyncGenerator<StoredEntry> {
  yield * entries
}

async function source (): Promise<string> {
  const directory = await temporary()

  await mkdir(join(directory, 'sub'))
  await mkdir(join(directory, 'empty'))
  await writeFile(join(directory, 'sub', 'file.txt'), 'hello')
  await symlink('sub/file.txt', join(directory, 'link'))

  return directory
}

describe('verification of stored data against its source', () => {
  it('accepts equal data in any order', async () => {
    await verify(await source(), stream([LINK, EMPTY, FILE, SUB]))
  })

  for (const [fault, stored, message] of faults) {
    it(`finds ${fault}`, async () => {
      await assert.rejects(verify(await source(), stream(stored)), message)
    })
  }
})
