import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { caseReadmes, drawPictures, placesIn, updateHeadline, updateReadme, updateSummary } from '../src/readme.ts'

const ROOT = new URL('../../', import.meta.url)
const FOLDER = new URL('pictures/', ROOT)
const HEADLINE = { path: '../README.md', folder: 'benchmarks/pictures' }
const SUMMARY = { path: '../docs/performance.md', folder: '../benchmarks/pictures', details: '../benchmarks/src/cases' }

describe('the READMEs', () => {
  it('have the figures of the committed reports (npm run readme -w benchmarks)', async () => {
    for (const { path, folder } of caseReadmes()) {
      const text = await read(path)

      assert.equal(text, await updateReadme(text, folder), path)
    }

    assert.match(await read('src/cases/add-dir/README.md'), /\| dagfs-mem \| cold \|/)
    assert.match(await read('src/cases/headers/README.md'), /\| cat-subdir/)
  })

  it('include one picture in the main README (npm run readme -w benchmarks)', async () => {
    const text = await read(HEADLINE.path)

    assert.equal(text, await updateHeadline(text, HEADLINE.folder))
    assert.match(text, /Storing a node_modules of 31,375 files \(129\.6 MB\) on disk/)
  })

  it('have their summary in docs/performance.md (npm run readme -w benchmarks)', async () => {
    const text = await read(SUMMARY.path)

    assert.equal(text, await updateSummary(text, SUMMARY.folder, SUMMARY.details))
    assert.match(text, /time of dagfs-pack, to that of the floor \| at most 1\.25 x \|/)
  })

  it('have figures only beside their case, and a link from the index', async () => {
    const index = await read('README.md')

    for (const { key, path } of caseReadmes()) {
      assert.deepEqual(placesIn(await read(path)), [key])
      assert.ok(index.includes(`(${path})`), path)
    }
  })

  it('show pictures of the committed reports (npm run readme -w benchmarks)', async () => {
    const shown = await namesOfPictures()
    const pictures = await drawPictures()

    assert.deepEqual((await readdir(FOLDER)).sort(), [...pictures.keys()].sort())

    for (const [name, svg] of pictures) {
      assert.equal(await readFile(new URL(name, FOLDER), 'utf8'), svg, name)
      assert.ok(shown.has(name), name)
    }

    assert.equal(shown.size, pictures.size)
  })

  it('are refused with a placeholder for an unknown case', async () => {
    await assert.rejects(updateReadme('<!-- measured nope: begin --><!-- measured nope: end -->', 'pictures'), /no such case/)
  })

  it('are refused without a placeholder for figures', async () => {
    await assert.rejects(updateReadme('# dagfs', 'pictures'), /no place for figures/)
    await assert.rejects(updateSummary('# dagfs', 'pictures', 'README.md'), /no place for a summary/)
    await assert.rejects(updateHeadline('# dagfs', 'pictures'), /no place for a picture/)
  })
})

async function namesOfPictures (): Promise<Set<string>> {
  const names = await Promise.all([HEADLINE, SUMMARY, ...caseReadmes()].map(async ({ path, folder }) =>
    [...(await read(path)).matchAll(new RegExp(`"${folder}/([^"]+)"`, 'g'))].map(([, name]) => name)))

  return new Set(names.flat())
}

async function read (path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8')
}
