import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { drawPictures, placesIn, updateReadme } from '../src/readme.ts'
import { readCommitted } from '../src/report/committed.ts'

const FOLDER = new URL('../../pictures/', import.meta.url)
const READMES = [
  { file: new URL('../../../README.md', import.meta.url), folder: 'benchmarks/pictures', figures: /\| dagfs-mem \| cold \|/ },
  { file: new URL('../../README.md', import.meta.url), folder: 'pictures', figures: /\| cat-subdir/ }
]

describe('the READMEs', () => {
  for (const { file, folder, figures } of READMES) {
    it(`have the figures of the committed reports, with pictures in ${folder}; npm run readme -w benchmarks writes them`, async () => {
      const text = await readFile(file, 'utf8')

      assert.equal(text, await updateReadme(text, folder))
      assert.match(text, figures)
    })
  }

  it('have one place in all for every case with committed figures', async () => {
    const committed = new Set((await readCommitted()).map(report => report.case))
    const places = await Promise.all(READMES.map(async ({ file }) => placesIn(await readFile(file, 'utf8'))))

    assert.deepEqual(places.flat().sort(), [...committed].sort())
  })

  it('show the pictures of the committed reports; npm run readme -w benchmarks draws them', async () => {
    const shown = await namesOfPictures()
    const pictures = await drawPictures()

    assert.deepEqual((await readdir(FOLDER)).sort(), [...pictures.keys()].sort())

    for (const [name, svg] of pictures) {
      assert.equal(await readFile(new URL(name, FOLDER), 'utf8'), svg, name)
      assert.ok(shown.has(name), name)
    }

    assert.equal(shown.size, pictures.size)
  })

  it('are refused where they have a place for a case that there is not', async () => {
    await assert.rejects(updateReadme('<!-- measured nope: begin --><!-- measured nope: end -->', 'pictures'), /no such case/)
  })

  it('are refused where they have no place for figures', async () => {
    await assert.rejects(updateReadme('# dagfs', 'pictures'), /no place for figures/)
  })
})

async function namesOfPictures (): Promise<Set<string>> {
  const names = await Promise.all(READMES.map(async ({ file, folder }) => {
    const text = await readFile(file, 'utf8')

    return [...text.matchAll(new RegExp(`"${folder}/([^"]+)"`, 'g'))].map(([, name]) => name)
  }))

  return new Set(names.flat())
}
