import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { drawPictures, updateReadme } from '../src/readme.ts'

const FOLDER = new URL('../../pictures/', import.meta.url)

describe('the README', () => {
  it('has the figures of the committed reports; npm run readme -w benchmarks writes them', async () => {
    const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')

    assert.equal(text, await updateReadme(text))
    assert.match(text, /\| dagfs-mem \| cold \|/)
  })

  it('shows the pictures of the committed reports; npm run readme -w benchmarks draws them', async () => {
    const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
    const pictures = await drawPictures()

    assert.deepEqual((await readdir(FOLDER)).sort(), [...pictures.keys()].sort())

    for (const [name, svg] of pictures) {
      assert.equal(await readFile(new URL(name, FOLDER), 'utf8'), svg, name)
      assert.ok(text.includes(`"benchmarks/pictures/${name}"`), name)
    }
  })

  it('names no picture that is not there', async () => {
    const text = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
    const names = new Set(await readdir(FOLDER))

    for (const [, name] of text.matchAll(/"benchmarks\/pictures\/([^"]+)"/g)) {
      assert.ok(names.has(name), name)
    }
  })

  it('is refused where it has a place for a case that there is not', async () => {
    await assert.rejects(updateReadme('<!-- measured nope: begin --><!-- measured nope: end -->'), /no such case/)
  })

  it('is refused where it has no place for figures', async () => {
    await assert.rejects(updateReadme('# dagfs'), /no place for figures/)
  })
})
