import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { readManifest, readSources, repository, sourceOf } from '../architecture/sources.ts'
import { App } from './app.ts'
import { docstringExamples, documentExamples, reachable } from './examples.ts'
import { nodeApp, typeErrors } from './type-check.ts'

const sources = readSources()
const doors = Object.values(readManifest().exports).map(door => sourceOf(door.default))
const files = reachable(sources, doors)
const documented = files.flatMap(file => docstringExamples(file, sources.get(file) ?? ''))
const examples = [
  ...documented,
  ...documentExamples()
]

describe('the examples of the documentation', () => {
  let app: App

  // one directory for each, in which they find the source of the package to import and its dependencies
  beforeEach(() => {
    app = new App()
    fs.symlinkSync(path.join(repository, 'node_modules'), path.join(app.directory, 'node_modules'), 'dir')
    fs.cpSync(path.join(repository, 'src'), path.join(app.directory, 'src'), { recursive: true })
  })

  afterEach(() => {
    app.remove()
  })

  it('are all found: every @example in a file that users reach holds one', () => {
    const written = files.map(file => (sources.get(file) ?? '').split('* @example').length - 1).reduce((a, b) => a + b, 0)

    expect(written).to.be.greaterThan(0)
    expect(documented.length).to.be.at.least(written)
    expect(examples.length).to.be.greaterThan(documented.length)
  })

  async function compilesAndRuns (source: string): Promise<void> {
    app.write('example.ts', source)
    expect(typeErrors(app.directory, ['example.ts'], { ...nodeApp, skipLibCheck: true })).to.deep.equal([])

    const { stderr, exitCode } = await app.run('node', 'example.ts')
    expect(exitCode, stderr).to.equal(0)
  }

  for (const { title, source } of examples) {
    it(`compile and run: ${title}`, async () => {
      await compilesAndRuns(source)
    })
  }
})
