import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { expect } from 'aegir/chai'
import { vectors } from './notation.ts'

// the tests run from their sources and from dist/test, the vectors are in the sources alone
const folder = new URL(import.meta.url.includes('/dist/test/') ? '../../../test/vectors/' : './', import.meta.url)
const python = process.env.PYTHON ?? 'python3'
const { status: pythonStatus } = spawnSync(python, ['--version'])

describe('the independent implementation', function () {
  this.timeout(120_000)

  for (const [name, read] of Object.entries(vectors)) {
    it(`has written the module of ${name} from its JSON`, async () => {
      expect(read).to.deep.equal(JSON.parse(await fs.readFile(new URL(`${name}.json`, folder), 'utf8')))
    })
  }

  if (pythonStatus !== 0 && process.env.CI == null) {
    // eslint-disable-next-line no-console
    console.warn(`NOT RUN: the check of the test vectors by the independent implementation, since there is no ${python}; with CI set it must run`)
    return
  }

  it('makes every valid vector again and refuses every invalid one', () => {
    const { status, stdout, stderr } = spawnSync(python, [new URL('independent.py', folder).pathname, 'check'], { encoding: 'utf8' })

    expect({ status, stderr, faults: stdout.split('\n').filter(line => line.startsWith('not so')) }).to.deep.equal({ status: 0, stderr: '', faults: [] })
    expect(stdout).to.match(/^[1-9]\d* passed, 0 failed$/m)
  })
})
