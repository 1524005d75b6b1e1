import fs from 'node:fs'

/** The pages of docs/, in the order of their list */
const pages = [...fs.readFileSync('docs/README.md', 'utf8').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, page]) => `docs/${page}`)

/** @type {Partial<import('typedoc').TypeDocOptions>} */
export default {
  name: 'dagfs',
  out: 'dist/site',
  tsconfig: 'tsconfig.json',
  readme: 'README.md',
  entryPoints: ['src/index.ts', 'src/pack/index.ts', 'src/adapters/host/index.ts', 'src/adapters/disk-roots/index.ts', 'src/adapters/unstorage/index.ts'],
  projectDocuments: [...new Set(pages), 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/codec/FORMAT.md', 'src/pack/PACK.md'],
  plugin: [titleDocuments],
  customCss: 'docs/site.css',
  ignoredHighlightLanguages: ['ipldsch'],
  sort: ['documents-first', 'source-order'],
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  // names of types that users see and have no need to import
  validation: { notExported: false }
}

/**
 * Names each page by its heading, and each module by what users import.
 *
 * @param {import('typedoc').Application} app
 */
function titleDocuments (app) {
  app.converter.on('resolveBegin', ({ project }) => {
    for (const document of project.documents ?? []) {
      document.name = /^# (.+)$/m.exec(document.content[0]?.text ?? '')?.[1].replaceAll('`', '') ?? document.name
    }

    for (const entry of project.children ?? []) {
      entry.name = entry.name === 'index' ? 'dagfs' : `dagfs/${entry.name.replace('adapters/', '').replace('/index', '')}`
    }

    // the page has the name of the project above it
    const beginning = project.readme?.[0]

    if (beginning?.kind === 'text') {
      beginning.text = beginning.text.replace(/^# .+\n/, '')
    }
  })
}
