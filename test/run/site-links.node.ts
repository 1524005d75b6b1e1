import { expect } from 'aegir/chai'
import { deadLinks } from './site-links.ts'

const files = ['index.html', 'documents/Limits.html', 'documents/1._commit().html', 'media/README.md', 'media/trees.json']

function dead (html: string): string[] {
  return deadLinks(files, new Map([['index.html', html], ['documents/Limits.html', '<h2 id="names">Names</h2> <a href="../#top">up</a>']]))
}

describe('the links of the site', () => {
  it('lead to files, to parts of pages, and out of the site', () => {
    const html = '<p id="top"><a href="#top"></a> <a href="#"></a> <a href="documents/Limits.html#names"></a> <a href="documents/1._commit().html"></a> <a href="media/trees.json"></a> <a href="https://example.org/a.md#b"></a>'

    expect(dead(html)).to.deep.equal([])
  })

  it('are dead where no file is there', () => {
    expect(dead('<p id="top"><img src="media/none.svg"><a href="media/trees"></a>')).to.deep.equal(['index.html: media/none.svg', 'index.html: media/trees'])
  })

  it('are dead where a page has no such part', () => {
    expect(dead('<a href="documents/Limits.html#paths"></a>')).to.deep.equal(['index.html: documents/Limits.html#paths', 'documents/Limits.html: ../#top'])
  })

  it('are dead where they lead to Markdown', () => {
    expect(dead('<p id="top"><a href="media/README.md"></a>')).to.deep.equal(['index.html: media/README.md'])
  })
})
