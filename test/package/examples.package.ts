import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'aegir/chai'
import pLimit from 'p-limit'
import { readManifest, readSources, repository, sourceOf } from '../architecture/sources.ts'
import { App } from './app.ts'
import { docstringExamples, documentExamples, reachable } from './examples.ts'
import { wrongComments } from './prints.ts'
import { nodeApp, typeErrors } from './type-check.ts'
import type { Example } from './examples.ts'

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
  const directories = new Map<Example, string>()
  // each is a process
  const atOnce = pLimit(4)

  // a directory for each, in which it finds the package as it was built here, its source to import and its dependencies
  before(() => {
    app = new App()
    fs.symlinkSync(path.join(repository, 'node_modules'), path.join(app.directory, 'node_modules'), 'dir')

    for (const [i, example] of examples.entries()) {
      const directory = String(i + 1)
      directories.set(example, directory)
      fs.mkdirSync(path.join(app.directory, directory, 'node_modules'), { recursive: true })
      fs.symlinkSync(repository, path.join(app.directory, directory, 'node_modules/dagfs'), 'dir')

      if (example.source.includes("'./src'")) {
        fs.cpSync(path.join(repository, 'src'), path.join(app.directory, directory, 'src'), { recursive: true })
      }

      app.write(fileOf(example), example.source)
    }
  })

  after(() => {
    app.remove()
  })

  function fileOf (example: Example): string {
    return `${directories.get(example)}/example.ts`
  }

  it('include every @example of public files', () => {
    const written = files.map(file => (sources.get(file) ?? '').split('* @example').length - 1).reduce((a, b) => a + b, 0)

    expect(written).to.be.greaterThan(0)
    expect(documented.length).to.be.at.least(written)
    expect(examples.length).to.be.greaterThan(documented.length)
  })

  it('compile', () => {
    // in one program, since most of the time goes into what all of them import
    const errors = typeErrors(app.directory, examples.map(fileOf), { ...nodeApp, skipLibCheck: true })
    const failures = errors.map(error => examples.reduce((text, example) => text.replace(RegExp(`^${fileOf(example)}:`), `${example.title}: `), error))

    expect(failures).to.deep.equal([])
  })

  for (const file of new Set(examples.map(example => example.file))) {
    it(`run, and print what the comments behind console.log say: ${file}`, async () => {
      const own = examples.filter(example => example.file === file)
      const failures = await Promise.all(own.map(async example => atOnce(async () => wrongOf(example))))

      expect(failures.flat()).to.deep.equal([])
    })
  }

  async function wrongOf (example: Example): Promise<string[]> {
    const { stdout, stderr, exitCode } = await app.runIn(path.dirname(fileOf(example)), 'node', '--import', path.join(import.meta.dirname, 'report-prints.ts'), 'example.ts')
    const wrong = exitCode === 0 ? wrongComments(example.source, stdout) : [`it ends with ${exitCode}: ${stderr}`]

    return wrong.map(text => `${example.title}: ${text}`)
  }
})
