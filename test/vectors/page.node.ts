import { expect } from 'aegir/chai'
import { readText } from '../architecture/sources.ts'
import { vectors } from './notation.ts'

const page = readText('src/codec/FORMAT.md')
const section = page.slice(page.indexOf('\n## Test vectors'), page.indexOf('\n## Why'))

/** The keys of some objects and of what is in them, attributes and snapshots left out: these have the keys of the format. */
function keysOf (value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(keysOf)
  }

  if (typeof value !== 'object' || value === null) {
    return []
  }

  return Object.entries(value).flatMap(([key, item]) => [key, ...['attributes', 'layout', 'root', 'snapshot'].includes(key) ? [] : keysOf(item)])
}

describe('the format page', () => {
  for (const [name, found] of Object.entries(vectors)) {
    it(`explains every key of ${name}.json`, () => {
      const named = (key: string): boolean => new RegExp(`[\`{ "]${key.replace('$', '\\$')}[\`?}, ":]`).test(section)

      expect(section).to.include(`| [\`${name}.json\`](../../test/vectors/${name}.json) |`)
      expect([...new Set(keysOf(found))].filter(key => !named(key))).to.deep.equal([])
    })
  }

  it('links to existing pages and headings', () => {
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)

    expect(links.filter(link => !anchors.includes(link))).to.deep.equal([])
    expect(links).to.have.length.greaterThan(5)
  })
})
