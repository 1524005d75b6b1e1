import { expect } from 'aegir/chai'
import { readText } from '../architecture/sources.ts'
import { parts } from '../torture/parts.ts'
import { withLimits } from './limits.ts'
import { promise } from './promise.ts'

function words (text: string): string {
  return text.replace(/\s+/g, ' ')
}

describe('the guarantees', () => {
  it('are those of docs/guarantees.md, word for word', () => {
    const page = words(readText('docs/guarantees.md'))

    expect(promise.map(({ text }) => text).filter(text => !page.includes(words(text)))).to.deep.equal([])
  })

  for (const { text, parts: names, tests } of promise) {
    it(`have tests for: ${text}`, () => {
      expect(names.filter(name => parts[name] === undefined)).to.deep.equal([])
      expect(tests.filter(([file, title]) => !readText(file).includes(`it('${title}`))).to.deep.equal([])
      expect(names.length + tests.length).to.be.above(0)
    })
  }

  it('are listed with the limits of the code in docs/limits.md (npm run write:limits)', () => {
    const page = readText('docs/limits.md')

    expect(withLimits(page)).to.equal(page)
  })
})
