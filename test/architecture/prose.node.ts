import { expect } from 'aegir/chai'
import { anchors, links } from './markdown.ts'
import { measureProse } from './prose.ts'

describe('reading documents', () => {
  it('counts words of sentences, code as one, without tables, fences and generated text', () => {
    const page = [
      '# A heading of a page', 'It has `four or more` words. This one has [five words](page.md#anchor) here.', '- A list of things.',
      '| a table | of cells |', '```sh\nnpm run all of it\n```', '<!-- made: begin -->\nAll of this is made by a script.\n<!-- made: end -->'
    ].join('\n\n')

    expect(measureProse(page)).to.deep.equal({ sentences: 3, mean: 14 / 3, p90: 6, longest: 'This one has five words here.' })
  })

  it('finds targets of links, pictures and HTML, and anchors of headings', () => {
    const page = '# A `code` (or two)\n\n[a](b.md#c) ![d](e.svg)\n\n<img src="f.svg">\n\n[g]: https://h.example\n'

    expect(links(page)).to.deep.equal(['b.md#c', 'e.svg', 'f.svg', 'https://h.example'])
    expect(anchors(page)).to.deep.equal(['a-code-or-two'])
  })
})
