import fs from 'node:fs'
import path from 'node:path'

/** The pages of docs/, in the order of their list */
const pages = [...fs.readFileSync('docs/README.md', 'utf8').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, page]) => `docs/${page}`)

/** Pages that stand below another one in the navigation */
const below = {
  'docs/decisions/README.md': fs.globSync('docs/decisions/0*.md').sort(),
  'benchmarks/README.md': [...fs.globSync('benchmarks/src/cases/*/README.md').sort(), 'benchmarks/src/gate/README.md'],
  'test/torture/README.md': ['test/torture/findings.md']
}

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'dagfs',
  out: 'dist/site',
  tsconfig: 'tsconfig.json',
  readme: 'README.md',
  entryPoints: ['src/index.ts', 'src/pack/index.ts', 'src/adapters/host/index.ts', 'src/adapters/disk-roots/index.ts', 'src/adapters/unstorage/index.ts'],
  projectDocuments: [...new Set([
    'docs/README.md',
    ...pages,
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'src/README.md',
    'src/codec/FORMAT.md',
    'src/fs/README.md',
    'src/pack/PACK.md',
    ...Object.entries(below).flat(2)
  ])],
  plugin: [arrangeDocuments],
  customCss: 'docs/site.css',
  customJs: 'docs/site.js',
  ignoredHighlightLanguages: ['ipldsch'],
  // CHANGELOG.md is the name of a file, not of a host
  markdownItOptions: { html: true, linkify: false },
  markdownItLoader: scrollTables,
  navigation: { includeFolders: false },
  sort: ['documents-first', 'source-order'],
  searchInComments: true,
  searchInDocuments: true,
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  // names of types that users see and have no need to import
  validation: { notExported: false },
  treatWarningsAsErrors: true
}

/**
 * Names each page by its heading, and each module by what users import. Puts pages below those that list them.
 *
 * @param {import('typedoc').Application} app
 */
function arrangeDocuments (app) {
  app.converter.on('resolveBegin', ({ project }) => {
    const made = new Map((project.documents ?? []).map(document => [project.files.getReflectionPath(document), document]))

    for (const document of made.values()) {
      document.name = /^# (.+)$/m.exec(document.content.map(({ text }) => text).join(''))?.[1].replaceAll('`', '') ?? document.name
    }

    for (const entry of project.children ?? []) {
      entry.name = entry.name === 'index' ? 'dagfs' : `dagfs/${entry.name.replace('adapters/', '').replace('/index', '')}`
    }

    for (const [list, files] of Object.entries(below)) {
      const [parent, ...children] = [list, ...files].map(file => made.get(path.resolve(file)))

      for (const child of children) {
        project.removeChild(child)
        child.parent = parent
        parent.addChild(child)
      }
    }

    // the page has the name of the project above it
    const beginning = project.readme?.[0]

    if (beginning?.kind === 'text') {
      beginning.text = beginning.text.replace(/^# .+\n/, '')
    }
  })

  // readers of screens need roles and levels of headings, which the theme does not give, and no link within a button
  app.renderer.on('endPage', page => {
    page.contents = page.contents
      ?.replace('<div class="col-content">', '<div class="col-content" role="main">')
      .replace('<div class="col-sidebar">', '<div class="col-sidebar" role="complementary">')
      .replaceAll(/<a [^>]*class="tsd-anchor-icon">(?:(?!<\/a>)[^])*<\/a>(<\/h[1-6]><\/summary>)/g, '$1')
    page.contents = page.contents && levelHeadings(page.contents)
  })
}

/**
 * Has each heading be at most one level below the one before it.
 *
 * @param {string} html
 */
function levelHeadings (html) {
  let last = 0

  return html.replaceAll(/<h([1-6])(?= |>)/g, (tag, given) => {
    last = Math.min(Number(given), last + 1)

    return last === Number(given) ? tag : `${tag} aria-level="${last}"`
  })
}

/**
 * Puts each table into a box that scrolls, and that the keyboard reaches.
 *
 * @param {{ renderer: { rules: Record<string, () => string> } }} parser - the parser of Markdown
 */
function scrollTables (parser) {
  parser.renderer.rules.table_open = () => '<div class="scrolling" role="group" aria-label="Table" tabindex="0"><table>'
  parser.renderer.rules.table_close = () => '</table></div>'
}
