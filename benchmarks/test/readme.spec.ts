import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { drawPictures, placesIn, updateReadme, updateSummary } from '../src/readme.ts'
import { readCommitted } from '../src/report/committed.ts'

const FOLDER = new URL('../../pictures/', import.meta.url)
const README = { file: new URL('../../../README.md', import.meta.url), folder: 'benchmarks/pictures' }
const OWN_README = { file: new URL('../../README.md', import.meta.url), folder: 'pictures' }

describe('the READMEs', () => {
  it('have the figures of the committed reports in full; npm run readme -w benchmarks writes them', async () => {
    const text = await readFile(OWN_README.file, 'utf8')

    assert.equal(text, await updateReadme(text, OWN_README.folder))
    assert.match(text, /\| dagfs-mem \| cold \|/)
    assert.match(text, /\| cat-subdir/)
  })

  it('have what they come to in short; npm run readme -w benchmarks writes it', async () => {
    const text = await readFile(README.file, 'utf8')

    assert.equal(text, await updateSummary(text, README.folder, 'benchmarks/README.md'))
    assert.match(text, /time of dagfs-pack, to that of the floor +\| +at most 1\.25 x \|/)
  })

  it('have one place for every case with committed figures, and a section that the summary links to', async () => {
    const text = await readFile(OWN_README.file, 'utf8')
    const committed = new Set((await readCommitted()).map(report => report.case))
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title.toLowerCase().replaceAll(' ', '-'))

    assert.deepEqual(placesIn(text).sort(), [...committed].sort())
    assert.deepEqual([...committed].filter(key => !sections.includes(key)), [])
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
    await assert.rejects(updateSummary('# dagfs', 'pictures', 'README.md'), /no place for a summary/)
  })
})

async function namesOfPictures (): Promise<Set<string>> {
  const names = await Promise.all([README, OWN_README].map(async ({ file, folder }) => {
    const text = await readFile(file, 'utf8')

    return [...text.matchAll(new RegExp(`"${folder}/([^"]+)"`, 'g'))].map(([, name]) => name)
  }))

  return new Set(names.flat())
}
