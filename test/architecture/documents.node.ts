import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'aegir/chai'
import { execa } from 'execa'
import * as errors from '../../src/errors.ts'
import { anchors, fences, firstCells, headings, links } from './markdown.ts'
import { measureProse } from './prose.ts'
import { readManifest, readSources, readText, repository, userPages } from './sources.ts'

const manifest = readManifest()
const minimum = /^>=(\d+\.\d+)\.0$/.exec(manifest.engines.node)?.[1] ?? ''

/** The files of the repository: committed, or not ignored and so about to be */
async function repositoryFiles (): Promise<string[]> {
  const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: repository })

  return [...new Set(stdout.split('\0'))].filter(file => file !== '' && fs.statSync(path.join(repository, file), { throwIfNoEntry: false })?.isFile() === true)
}

/** Whether a link of a page leads to a file and, where it names one, to a heading in it */
function leads (page: string, link: string): boolean {
  const [target, anchor] = link.split('#')
  const file = target === '' ? page : path.posix.join(path.posix.dirname(page), decodeURIComponent(target))

  return fs.existsSync(path.join(repository, file)) &&
    (anchor === undefined || anchors(readText(file)).includes(anchor))
}

/** The files that contain one of the words, each with the word */
async function filesNaming (words: readonly string[]): Promise<string[]> {
  const files = await repositoryFiles()
  expect(files).to.include('package.json')

  return files.flatMap(file => {
    const bytes = fs.readFileSync(path.join(repository, file))

    return words.filter(word => bytes.includes(word)).map(word => `${file}: ${word}`)
  })
}

describe('the pages for users', () => {
  it('are all listed in docs/README.md', () => {
    const listed = links(readText('docs/README.md'))

    expect(userPages.filter(file => file !== 'docs/README.md' && !listed.includes(path.basename(file)))).to.deep.equal([])
  })

  it('have at most 12 kB each, and the README at most 6 kB', () => {
    const readme = readText('README.md').replace(/<!-- headline: begin -->[\s\S]*<!-- headline: end -->/, '')

    expect(Buffer.byteLength(readme)).to.be.at.most(6_000)

    for (const file of userPages) {
      expect(Buffer.byteLength(readText(file)), file).to.be.at.most(12_000)
    }
  })

  it('have sentences of 16 words on average, nine of ten of at most 27', () => {
    for (const file of ['README.md', ...userPages]) {
      const { mean, p90, longest } = measureProse(readText(file))

      expect(mean, `${file}: ${longest}`).to.be.at.most(16)
      expect(p90, `${file}: ${longest}`).to.be.at.most(27)
    }
  })

  it('name every error class with its codes, and no other', () => {
    const page = readText('docs/errors.md')
    const classes = Object.keys(errors).filter(name => name.endsWith('Error'))
    const named = firstCells(page).filter(text => text.endsWith('Error'))
    const codes = [...readText('src/errors.ts').matchAll(/^ {2}readonly code = '(\w+)'$/gm)].map(([, code]) => code)

    expect(named.sort()).to.deep.equal(classes.sort())
    expect(codes.length).to.be.above(0)
    expect(codes.filter(code => !page.includes(`\`${code}\``))).to.deep.equal([])
  })

  it('name every warning of the process, and no other', () => {
    const given = [...readSources().values()].flatMap(text => [...text.matchAll(/warn\('(\w+)'/g)].map(([, code]) => code))
    const named = firstCells(readText('docs/errors.md')).filter(text => text.startsWith('DAGFS_'))

    expect(given.length).to.be.above(0)
    expect(named.sort()).to.deep.equal([...new Set(given)].sort())
  })

  it('give the loading size of a page as .size-limit.js does', () => {
    const [, limit] = /limit: '(\d+ kB)'/.exec(readText('.size-limit.js')) ?? []

    expect(limit).to.not.equal(undefined)
    expect(readText('docs/browsers.md')).to.include(`at most ${limit}`)
  })
})

describe('the documents', () => {
  it('have sentences of 18 words on average, nine of ten of at most 30', async () => {
    const pages = (await repositoryFiles()).filter(file => file.endsWith('.md'))
    expect(pages).to.include.members(['CONTRIBUTING.md', 'src/README.md', 'src/codec/FORMAT.md', 'src/pack/PACK.md', 'benchmarks/README.md', 'CHANGELOG.md'])

    for (const file of pages) {
      const { mean, p90, longest } = measureProse(readText(file))

      expect(mean, `${file}: ${longest}`).to.be.at.most(18)
      expect(p90, `${file}: ${longest}`).to.be.at.most(30)
    }
  })

  it('link to existing files and headings', async () => {
    const pages = (await repositoryFiles()).filter(file => file.endsWith('.md'))
    expect(pages).to.include('docs/README.md')

    const dead = pages.flatMap(page => links(readText(page))
      .filter(link => !/^[a-z]+:/.test(link))
      .filter(link => !leads(page, link))
      .map(link => `${page}: ${link}`))

    expect(dead).to.deep.equal([])
  })

  it('name existing files of src and test', async () => {
    const pages = (await repositoryFiles()).filter(file => file.endsWith('.md'))
    const named = pages.flatMap(page => [...readText(page).matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, file]) => ({ page, file })))
    const absent = named.filter(({ page, file }) => ['.', path.dirname(page), 'benchmarks'].every(base => !fs.existsSync(path.join(repository, base, file))))

    expect(named.length).to.be.above(0)
    expect(absent).to.deep.equal([])
  })

  it('name files by their path in src that are there', async () => {
    const rooms = fs.readdirSync(path.join(repository, 'src'), { withFileTypes: true }).filter(entry => entry.isDirectory()).map(({ name }) => name)
    const pages = (await repositoryFiles()).filter(file => file.endsWith('.md'))
    const named = pages.flatMap(page => [...readText(page).matchAll(/`([\w-]+)(\/[\w./-]*)`/g)]
      .filter(([, room, rest]) => rooms.includes(room) && !rest.includes('NAME'))
      .map(([, room, rest]) => ({ page, file: `${room}${rest}` })))
    const absent = named.filter(({ page, file }) => ['src', path.dirname(page)].every(base => !fs.existsSync(path.join(repository, base, file))))

    expect(named.map(({ file }) => file)).to.include('fs/publish/root-publisher.ts')
    expect(absent).to.deep.equal([])
  })

  it('are all pages of the site, whose text is searched', async () => {
    const { default: config }: { default: { readme: string, projectDocuments: string[], searchInDocuments: boolean, searchInComments: boolean } } = await import(pathToFileURL(path.join(repository, 'typedoc.config.js')).href)
    const pages = (await repositoryFiles()).filter(file => file.endsWith('.md'))

    expect([config.readme, ...config.projectDocuments].sort()).to.deep.equal(pages.sort())
    expect(config).to.include({ searchInDocuments: true, searchInComments: true })
  })

  it('give each decision one number, its sections in one order, and a line in the list', () => {
    const folder = 'docs/decisions'
    const pages = fs.readdirSync(path.join(repository, folder)).filter(file => file !== 'README.md').sort()
    const list = links(readText(`${folder}/README.md`))
    const sections = ['Context', 'Decision', 'Measurement', 'What was tried', 'Code']

    expect(pages.map(file => file.slice(0, 5))).to.deep.equal(pages.map((file, index) => `${String(index + 1).padStart(4, '0')}-`))
    expect(list).to.deep.equal(pages)

    for (const file of pages) {
      const text = readText(`${folder}/${file}`)

      expect(headings(text).slice(1), file).to.deep.equal(sections)
      expect(text, file).to.not.match(/^## .+\n+(?=## |(?![^]))/m)
      expect(text.trimEnd().split('\n').length, file).to.be.below(60)
    }
  })

  it('include a map of at most 8 kB with exactly the files of src', () => {
    const expected = [...readSources().keys()].map(file => file.includes('/') ? `${path.posix.dirname(file)}/` : file)

    expect(Buffer.byteLength(readText('src/README.md'))).to.be.at.most(8_000)
    expect(firstCells(readText('src/README.md')).sort()).to.deep.equal([...new Set(expected)].sort())
  })

  it('include a change log whose newest entry is the version in package.json', () => {
    const versions = headings(readText('CHANGELOG.md')).filter(text => /^\d/.test(text))

    expect(versions[0]?.split(' ')[0]).to.equal(manifest.version)
  })

  it('include the two licences that package.json names, and pack them', () => {
    expect(manifest.license).to.equal('Apache-2.0 OR MIT')
    expect(readText('LICENSE-APACHE')).to.include('Apache License').and.to.include('Version 2.0')
    expect(readText('LICENSE-MIT')).to.include('The MIT License')
    expect(manifest.files).to.include.members(['LICENSE-APACHE', 'LICENSE-MIT', 'CHANGELOG.md'])
  })

  it('name the same oldest Node.js: package.json, README, CHANGELOG and the message', () => {
    expect(minimum).to.not.equal('')

    for (const file of ['README.md', 'CHANGELOG.md', 'src/hash.ts']) {
      expect(readText(file), file).to.include(minimum)
    }
  })

  it('give only commands that package.json has', () => {
    const commands = ['README.md', 'CONTRIBUTING.md', ...userPages]
      .flatMap(file => fences(readText(file), ['sh', 'bash', 'shell', 'console']))
      .flatMap(fence => [...fence.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)( -w)?/g)])
      .filter(([, , inWorkspace]) => inWorkspace === undefined)
      .map(([, command]) => command)
    const ofNpm = ['install', 'ci', 'i', 'exec', 'init', 'publish', 'version']

    expect(commands).to.include.members(['test', 'start'])
    expect(commands.filter(command => !ofNpm.includes(command) && manifest.scripts[command] === undefined)).to.deep.equal([])
  })
})

describe('the repository', () => {
  it('names no package registry', async () => {
    const { stdout } = await execa('npm', ['config', 'get', 'registry'], { cwd: repository })
    // put together here, so that this file names none either
    const hosts = [['registry', 'npmjs', 'org'], ['registry', 'yarnpkg', 'com'], ['proxy', 'golang', 'org'], ['deb', 'debian', 'org'], ['files', 'pythonhosted', 'org']]
      .map(parts => parts.join('.'))

    expect(await filesNaming([...hosts, new URL(stdout.trim()).host])).to.deep.equal([])
  })

  it('names no path of a developer\'s machine', async () => {
    const roots = [['', 'work', ''], ['', 'root', ''], ['', 'tmp', 'w', '']].map(parts => parts.join('/'))

    expect(await filesNaming(roots)).to.deep.equal([])
  })

  it('has lock files without download addresses', async () => {
    const locks = (await repositoryFiles()).filter(file => path.basename(file) === 'package-lock.json')
    expect(locks).to.include('package-lock.json')

    for (const file of locks) {
      const { packages }: { packages: Record<string, { resolved?: string, link?: boolean }> } = JSON.parse(readText(file))
      const downloads = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && link !== true)

      expect(downloads.map(([name]) => name), file).to.deep.equal([])
    }
  })

  it('runs every step of .ci/run full in a job of its workflow', () => {
    const tier = /^if \[ "\$tier" = full \]; then\n([\s\S]*?)^fi$/m.exec(readText('.ci/run'))?.[1] ?? ''
    const commands = [...tier.matchAll(/^ {2}(?:step|tests) '[^']+' \d+ (.+)$/gm)].map(([, command]) => command)
    const jobs = readText('.github/workflows/full.yml')

    expect(commands).to.include('npm run torture -- --fresh').and.to.have.lengthOf(tier.match(/^ {2}[a-z]/gm)?.length ?? 0)
    expect([...commands, '.ci/run'].filter(command => !jobs.split('\n').some(line => /^(?:- run:|command:)?(.*)$/.exec(line.trim())?.[1].trim().startsWith(command)))).to.deep.equal([])
  })

  it('has no test file of more than 500 lines', async () => {
    const tests = (await repositoryFiles()).filter(file => /^(benchmarks\/)?test\/.*\.ts$/.test(file))
    expect(tests).to.include('test/node.ts')

    expect(tests.filter(file => readText(file).split('\n').length > 500)).to.deep.equal([])
  })

  it('imports every Node.js test in test/node.ts', async () => {
    const suites = (await repositoryFiles()).filter(file => file.startsWith('test/') && file.endsWith('.node.ts')).map(file => file.replace('test/', './'))

    expect(suites.filter(file => !readText('test/node.ts').includes(`import '${file}'`))).to.deep.equal([])
  })
})
