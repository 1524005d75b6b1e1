import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import { describeBesideNode } from '../beside-node-release.ts'
import { random, seed } from '../seed.ts'
import { faultOfGlob, plantTwins, randomGlob } from './random-globs.ts'
import type { DagFs, Dirent } from '../../src/index.ts'

const files = ['a.js', 'a.ts', 'b.md', '.hidden', 'src/index.ts', 'src/a/index.ts', 'src/a/b/c.js', 'src/.dot/x.js', 'src/[x].js', 'lib/a.js', 'lib/ü.js', 'lib/{a}.js']
const links: Array<[path: string, target: string]> = [['to-src', 'src'], ['src/to-lib', '../lib'], ['broken', 'nowhere']]

const patterns = ['*', '**', '*.js', '**/*.js', 'src/**', 'src/*', 'src/**/*.ts', '{a,b}.*', 'src/*/index.ts', '**/index.ts', '*/', '**/', 'src', 'src/', 'missing', 'missing/*', 'a.js/*', '?.js', '[ab].*', '.*', '**/.*', './*.js', './src/*', '../*', 'src/../*.js', 'src/a/../*.ts', '*/*', '*/*/*', 'src/**/b/*', 'lib/*ü*', 'src/\\[x\\].js', '!(a).js', '+(a|b).*', 'to-src/*', 'to-src/**', '*/index.ts', 'broken', 'broken/*', 'src/to-lib/*', '.', '..', '', 'src/a/', 'src/a/**/', '**/to-src/*', '*/to-lib/*', 'src/to-lib', 'src/to-lib/', './', '../place/*.js', '**/a/**', '*/**', 'src/**/**/c.js', '*.{js', '[', 'a.js/', 'broken/']

/** What a function that leaves out `a` and what ends with `.ts` is asked, and what is found. */
async function withQuestions (fs: Pick<DagFs, 'glob'> | typeof node, cwd: string, pattern: string): Promise<[asked: string[], found: string[]]> {
  const asked: string[] = []

  const exclude = (path: string): boolean => {
    asked.push(path)

    return path === 'a' || path.endsWith('.ts')
  }

  const found = await all((fs as Pick<DagFs, 'glob'>).glob(pattern, { cwd, exclude }))

  return [asked, found]
}

describeBesideNode('glob, compared to Node.js', () => {
  let root: string
  let fs: DagFs

  before(async () => {
    root = await node.mkdtemp(join(tmpdir(), 'dagfs-glob-'))
    fs = dagfs({ blockstore: new MemoryBlockstore() })

    for (const file of files) {
      await node.mkdir(join(root, 'place', file, '..'), { recursive: true })
      await node.writeFile(join(root, 'place', file), '')
    }

    for (const [path, target] of links) {
      await node.symlink(target, join(root, 'place', path))
    }

    await fs.addAll(files.map(file => ({ path: `/place/${file}`, content: '' })))
    await fs.addAll(links.map(([path, target]) => ({ path: `/place/${path}`, kind: 'symlink', target })))
  })

  after(async () => {
    await node.rm(root, { recursive: true })
  })

  patterns.forEach(pattern => {
    it(`finds ${pattern}`, async () => {
      const expected = await all(node.glob(pattern, { cwd: join(root, 'place') }))
      const found = await all(fs.glob(pattern, { cwd: '/place' }))

      expect(found.toSorted()).to.deep.equal(expected.toSorted())
    })
  })

  it('finds several patterns from the root', async () => {
    expect(await all(fs.glob(['place/*.js', '/place/lib/a*']))).to.deep.equal(['/place/lib/a.js', 'place/a.js'])
  })

  it('excludes patterns', async () => {
    for (const exclude of [['src'], ['**/*.js'], ['src/a/**'], ['*.ts']]) {
      const expected = await all(node.glob('**/*.{js,ts}', { cwd: join(root, 'place'), exclude }))

      expect((await all(fs.glob('**/*.{js,ts}', { cwd: '/place', exclude }))).toSorted()).to.deep.equal(expected.toSorted())
    }
  })

  it('calls an exclude function as Node.js does, with the same result', async () => {
    for (const pattern of ['**/*.js', 'src/*/*', '*', './**', '../place/**/c.js', 'to-src/*']) {
      const [asked, expected] = await withQuestions(node, join(root, 'place'), pattern)

      expect(await withQuestions(fs, '/place', pattern)).to.deep.equal([asked, expected])
      expect(asked.length).to.be.above(pattern === '*' ? -1 : 0)
    }
  })

  it('calls an exclude function with entries if it returns entries', async () => {
    const asked: Dirent[] = []
    await all(fs.glob('src/*/*.js', { cwd: '/place', withFileTypes: true, exclude: (entry: Dirent) => asked.push(entry) === 0 }))

    expect(asked.map(({ parentPath, name, kind }) => [parentPath, name, kind])).to.deep.equal([['/place', 'src', 'directory'], ['/place/src', '.dot', 'directory'], ['/place/src', 'a', 'directory']].filter(([, name]) => name !== '.dot'))
  })

  it('finds what Node.js finds, in its order, for random patterns and trees', async () => {
    const next = random(seed)

    for (let tree = 0; tree < 6; tree++) {
      const at = await node.mkdtemp(join(tmpdir(), 'dagfs-globs-'))

      try {
        const trees = await plantTwins(next, at)

        for (let i = 0; i < 100; i++) {
          expect(await faultOfGlob(trees, randomGlob(next, trees.cwd))).to.equal(undefined)
        }
      } finally {
        await node.rm(at, { recursive: true })
      }
    }
  })

  it('blocks the event loop for no pattern, and refuses oversized ones', async () => {
    const long = dagfs({ blockstore: new MemoryBlockstore() })
    await long.writeFile(`/${'a'.repeat(250)}`, '')

    for (const pattern of ['*a'.repeat(20) + 'b', '+(a|aa)b', Array(12).fill('**/a').join('/')]) {
      expect(await all(long.glob(pattern, { exclude: [`/${pattern}`] }))).to.deep.equal([])
    }

    await expect(all(long.glob('{a,b}'.repeat(20)))).to.eventually.be.rejected.with.property('name', 'InvalidOptionError')
    await expect(all(long.glob('*', { exclude: ['{1..1000000000}'] }))).to.eventually.be.rejected.with.property('option', 'options.exclude')
  })

  it('finds what Node.js omits if alternatives lead into one directory', async () => {
    expect(await all(node.glob('{src,**}/*/', { cwd: join(root, 'place') }))).to.not.include('src')
    expect(await all(fs.glob('{src,**}/*/', { cwd: '/place' }))).to.include('src')
  })

  it('returns directory entries', async () => {
    const [found] = await all(fs.glob('src/a/*.ts', { cwd: '/place', withFileTypes: true }))

    expect(found).to.include({ name: 'index.ts', parentPath: '/place/src/a', kind: 'file' })
  })

  const wrong = [[1, {}], [['a', 1], {}], ['a', 1], ['a', { exclude: 1 }], ['a', { exclude: [1] }]] as unknown as Array<[string, object]>

  wrong.forEach(([pattern, options]) => {
    it(`refuses ${JSON.stringify(pattern)} with ${JSON.stringify(options)}`, async () => {
      await expect(all(fs.glob(pattern, options))).to.eventually.be.rejected.with.property('code', 'ERR_INVALID_ARG_TYPE')
    })
  })
})
