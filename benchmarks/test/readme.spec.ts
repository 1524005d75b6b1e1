import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { updateReadme } from '../src/readme.ts'

describe('the README', () => {
  it('has the figures of the committed reports; npm run readme -w benchmarks writes them', async () => {
    const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')

    assert.equal(text, await updateReadme(text))
    assert.match(text, /\| dagfs-mem \| cold \|/)
  })

  it('is refused where it has no place for figures', async () => {
    await assert.rejects(updateReadme('# dagfs'), /no place for figures/)
  })
})
