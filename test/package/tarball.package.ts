import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'aegir/chai'
import { build } from 'esbuild'
import { fences } from '../architecture/markdown.ts'
import { readManifest, readSources, readText, repository } from '../architecture/sources.ts'
import { findChromium, howToGetChromium } from '../run/chromium.ts'
import { App, pack } from './app.ts'
import { documentExamples } from './examples.ts'
import { runInPage } from './page.ts'
import { nodeApp, pageApp, typeErrors, withoutTypes } from './type-check.ts'
import type { BuildResult } from 'esbuild'

const manifest = readManifest()
const oldest = manifest.engines.node.replace('>=', '')
const tooOld = '20.19.0'

const everything = `import * as core from 'dagfs'
import * as roots from 'dagfs/disk-roots'
import * as host from 'dagfs/host'
import * as packed from 'dagfs/pack'
import * as unstorage from 'dagfs/unstorage'
import type { AddedEntry, DagFs, EntryInfo } from 'dagfs'
import type { ImportOptions } from 'dagfs/host'
import type { DagFsDriver } from 'dagfs/unstorage'

export const factory: (...args: Parameters<typeof core.dagfs>) => DagFs = core.dagfs
export const importing: ImportOptions = { hidden: true }
export const entry: AddedEntry = { path: '/a', content: 'a' }
export const cidOf = (info: EntryInfo): string => String(info.cid)
export const driver: (fs: DagFs) => DagFsDriver = fs => unstorage.dagfsDriver({ fs })
console.log(typeof core.dagfs, typeof host.importDirectory, typeof roots.diskRoots, typeof packed.PackBlockstore, typeof unstorage.dagfsDriver, new core.InvalidOptionError('x', 'is wrong').name)
`

/** Commits under a name on its first run, and reads what was committed on the next: in a pack store, and with its roots in a file */
const onDisk = `import { dagfs } from 'dagfs'
import { diskRoots } from 'dagfs/disk-roots'
import { PackBlockstore } from 'dagfs/pack'

const blockstore = new PackBlockstore('store')
await blockstore.open()

for (const roots of [blockstore.roots, diskRoots('roots.sqlite')]) {
  const fs = dagfs({ blockstore }, { name: 'notes', roots })
  console.log(await fs.exists('/today.md') ? await fs.readFile('/today.md', 'utf8') : 'nothing')
  await fs.writeFile('/today.md', 'kept')
  await fs.commit()
  await roots.close?.()
}

await blockstore.close()
`

describe('the packed package', () => {
  let app: App
  let example: string
  /** Where the examples run one after the other, as a newcomer tries them */
  let readme: App
  /** Apps that hold nothing but another version of Node.js */
  const interpreters = new Map<string, App>()

  /** What a program of the app prints, where it ends well */
  async function succeed (interpreter: string, file: string): Promise<string> {
    const { stdout, stderr, exitCode } = await app.run(interpreter, file)
    expect(exitCode, stderr).to.equal(0)

    return stdout
  }

  /** The interpreter of a version of Node.js, installed from its package on first use */
  async function installedNode (version: string): Promise<string> {
    const holder = interpreters.get(version) ?? new App()

    if (!interpreters.has(version)) {
      interpreters.set(version, holder)
      await holder.install(`node@${version}`)
    }

    return path.join(holder.directory, 'node_modules/node/bin/node')
  }

  async function refusesToStart (door: string): Promise<void> {
    const { stderr, exitCode } = await app.run(await installedNode(tooOld), '--input-type=module', '--eval', `import '${door}'`)

    expect(stderr.split('\n')).to.include(`Error: dagfs needs Node.js ${oldest.replace(/\.0$/, '')} or newer, this is Node.js ${tooOld}`)
    expect(exitCode).to.equal(1)
  }

  before(async () => {
    app = new App()
    const tarball = await pack(app.directory)
    await app.install(tarball, ...['blockstore-core', '@types/node'].map(name => `${name}@${installed(name)}`))

    const [first] = fences(app.read('node_modules/dagfs/README.md'), ['ts'])
    example = first
    app.write('everything.ts', everything)
    app.write('everything.js', withoutTypes(everything))
    app.write('example.ts', example)
    app.write('on-disk.js', onDisk)
    app.write('example.js', withoutTypes(example))

    readme = new App()
    fs.symlinkSync(path.join(repository, 'node_modules'), path.join(readme.directory, 'node_modules'), 'dir')
    fs.mkdirSync(path.join(readme.directory, 'src'))
    readme.write('src/a.ts', 'a')
  })

  after(() => {
    [app, readme, ...interpreters.values()].forEach(created => {
      created.remove()
    })
  })

  it('contains exactly the build of every source file', () => {
    const packed = path.join(app.directory, 'node_modules/dagfs')
    const files = (directory: string, end: string): string[] => fs.readdirSync(path.join(packed, directory), { recursive: true, encoding: 'utf8' })
      .map(file => file.replaceAll(path.sep, '/'))
      .filter(file => file.endsWith(end))
      .map(file => file.slice(0, -end.length))
      .sort()
    const sources = [...readSources().keys()].map(file => file.slice(0, -'.ts'.length)).sort()

    expect(files('src', '.ts')).to.deep.equal(sources)
    expect(files('dist/src', '.d.ts')).to.deep.equal(sources)
    expect(files('dist/src', '.js')).to.deep.equal(sources)
    expect(fs.readdirSync(packed)).to.include.members(['CHANGELOG.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md'])
    // the bundle is of no use to anybody: no export reaches it
    expect(fs.readdirSync(path.join(packed, 'dist')).sort()).to.deep.equal(['src'])
  })

  it('is imported by JavaScript in Node.js through every entry point', async () => {
    expect(await succeed('node', 'everything.js')).to.equal('function function function function function InvalidOptionError')
  })

  it('type-checks in a Node.js app, including its declarations', () => {
    expect(typeErrors(app.directory, ['everything.ts', 'example.ts'], nodeApp)).to.deep.equal([])
  })

  it('type-checks in a page without the types of Node.js', () => {
    expect(typeErrors(app.directory, ['example.ts'], pageApp)).to.deep.equal([])
  })

  it('runs the first example of its README in Node.js', async () => {
    expect(await succeed('node', 'example.js')).to.not.equal('')
  })

  it(`runs that example on the oldest Node.js that it supports, ${oldest}`, async () => {
    expect(await succeed(await installedNode(oldest), 'example.js')).to.not.equal('')
  })

  // what createHelia() comes with asks Node.js for zstd, which is there from 22.15 on, as docs/helia.md says
  documentExamples().filter(({ source }) => !source.includes("from 'helia'")).forEach(({ title, source }) => {
    it(`runs there as printed: ${title}`, async () => {
      readme.write('example.mjs', source)

      const { stderr, exitCode } = await readme.run(await installedNode(oldest), 'example.mjs')
      expect(exitCode, stderr).to.equal(0)
    })
  })

  it('keeps blocks and roots on disk with that Node.js', async () => {
    expect(await succeed(await installedNode(oldest), 'on-disk.js')).to.equal('nothing\nnothing')
    expect(await succeed('node', 'on-disk.js')).to.equal('kept\nkept')
    expect(await succeed(await installedNode(oldest), 'on-disk.js')).to.equal('kept\nkept')
  })

  for (const door of Object.keys(manifest.exports).map(door => path.posix.join('dagfs', door))) {
    it(`reports in one sentence that Node.js ${tooOld} is too old for ${door}`, async () => {
      await refusesToStart(door)
    })
  }

  it('bundles for browsers with the browser twins', async () => {
    const inputs = Object.keys((await bundle(app, example)).metafile.inputs).map(file => file.replace(/^.*node_modules\/dagfs\//, './'))

    expect(inputs).to.include.members(Object.values(manifest.browser))
    expect(inputs.filter(file => manifest.browser[file] !== undefined)).to.deep.equal([])
  })

  it('runs the README\'s first example in Chromium with the result of Node.js', async function () {
    const executable = findChromium()

    if (executable === undefined) {
      if (process.env.DAGFS_BROWSER === 'optional') {
        return this.skip()
      }

      throw new Error(`No Chromium was found: ${howToGetChromium}`)
    }

    const stdout = await succeed('node', 'example.js')
    const { outputFiles: [{ text }] } = await bundle(app, example)

    expect(await runInPage(executable, text)).to.deep.equal(stdout.split('\n'))
  })
})

/** The version of a package that the repository has tried */
function installed (name: string): string {
  const { version }: { version: string } = JSON.parse(readText(`node_modules/${name}/package.json`))

  return version
}

async function bundle (app: App, source: string): Promise<BuildResult<{ metafile: true, write: false }>> {
  return build({
    stdin: { contents: `${source}\nglobalThis.finished = true\n`, resolveDir: app.directory, loader: 'ts' },
    absWorkingDir: app.directory,
    bundle: true,
    format: 'esm',
    metafile: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    write: false
  })
}
