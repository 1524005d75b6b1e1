import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { execa } from 'execa'
import { fences, firstCells, headings } from './markdown.ts'
import { readManifest, readSources, readText, repository } from './sources.ts'

const manifest = readManifest()
const minimum = /^>=(\d+\.\d+)\.0$/.exec(manifest.engines.node)?.[1] ?? ''

/** The files of the repository: committed, or not ignored and so about to be */
async function repositoryFiles (): Promise<string[]> {
  const { stdout } = await execa('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: repository })

  return [...new Set(stdout.split('\0'))].filter(file => file !== '' && fs.statSync(path.join(repository, file), { throwIfNoEntry: false })?.isFile() === true)
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

describe('the documents', () => {
  it('have a map that names every folder and every file at the top of src, and nothing else', () => {
    const expected = [...readSources().keys()].map(file => file.includes('/') ? `${path.posix.dirname(file)}/` : file)

    expect(firstCells(readText('src/README.md')).sort()).to.deep.equal([...new Set(expected)].sort())
  })

  it('have a change log whose newest entry is of the version in package.json', () => {
    const versions = headings(readText('CHANGELOG.md')).filter(text => /^\d/.test(text))

    expect(versions[0]?.split(' ')[0]).to.equal(manifest.version)
  })

  it('contain the two licences that package.json names, and pack them', () => {
    expect(manifest.license).to.equal('Apache-2.0 OR MIT')
    expect(readText('LICENSE-APACHE')).to.include('Apache License').and.to.include('Version 2.0')
    expect(readText('LICENSE-MIT')).to.include('The MIT License')
    expect(manifest.files).to.include.members(['LICENSE-APACHE', 'LICENSE-MIT', 'CHANGELOG.md'])
  })

  it('name one oldest Node.js: package.json, README, CHANGELOG and the message', () => {
    expect(minimum).to.not.equal('')

    for (const file of ['README.md', 'CHANGELOG.md', 'src/hash.ts']) {
      expect(readText(file), file).to.include(minimum)
    }
  })

  it('give only commands that package.json has', () => {
    const commands = fences(readText('README.md'), ['sh', 'bash', 'shell', 'console'])
      .flatMap(fence => [...fence.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)( -w)?/g)])
      .filter(([, , inWorkspace]) => inWorkspace === undefined)
      .map(([, command]) => command)
    const ofNpm = ['install', 'ci', 'i', 'exec']

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

  it('names no path of the machine that it was written on', async () => {
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

  it('runs every test for Node.js alone: test/node.ts imports each of them', async () => {
    const suites = (await repositoryFiles()).filter(file => file.startsWith('test/') && file.endsWith('.node.ts')).map(file => file.replace('test/', './'))

    expect(suites.filter(file => !readText('test/node.ts').includes(`import '${file}'`))).to.deep.equal([])
  })
})
