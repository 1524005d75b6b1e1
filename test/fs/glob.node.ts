import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import all from 'it-all'
import { dagfs } from '../../src/index.ts'
import type { DagFs } from '../../src/index.ts'

const files = ['a.js', 'a.ts', 'b.md', '.hidden', 'src/index.ts', 'src/a/index.ts', 'src/a/b/c.js', 'src/.dot/x.js', 'src/[x].js', 'lib/a.js', 'lib/ü.js', 'lib/{a}.js']
const links: Array<[path: string, target: string]> = [['to-src', 'src'], ['src/to-lib', '../lib'], ['broken', 'nowhere']]

const patterns = ['*', '**', '*.js', '**/*.js', 'src/**', 'src/*', 'src/**/*.ts', '{a,b}.*', 'src/*/index.ts', '**/index.ts', '*/', '**/', 'src', 'src/', 'missing', 'missing/*', 'a.js/*', '?.js', '[ab].*', '.*', '**/.*', './*.js', './src/*', '../*', 'src/../*.js', 'src/a/../*.ts', '*/*', '*/*/*', 'src/**/b/*', 'lib/*ü*', 'src/\\[x\\].js', '!(a).js', '+(a|b).*', 'to-src/*', 'to-src/**', '*/index.ts', 'broken', 'broken/*', 'src/to-lib/*', '.', '..', '', 'src/a/', 'src/a/**/', '**/to-src/*', '*/to-lib/*', 'src/to-lib', 'src/to-lib/', './', '../place/*.js', '**/a/**', '*/**', 'src/**/**/c.js', '*.{js', '[', 'a.js/', 'broken/']

describe('glob, beside Node', () => {
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
    expect(await all(fs.glob(['place/*.js', '/place/lib/a*']))).to.deep.equal(['place/a.js', '/place/lib/a.js'])
  })

  it('leaves out what is excluded', async () => {
    for (const exclude of [['src'], ['**/*.js'], ['src/a/**'], ['*.ts']]) {
      const expected = await all(node.glob('**/*.{js,ts}', { cwd: join(root, 'place'), exclude }))

      expect((await all(fs.glob('**/*.{js,ts}', { cwd: '/place', exclude }))).toSorted()).to.deep.equal(expected.toSorted())
    }

    expect(await all(fs.glob('*.{js,ts}', { cwd: '/place', exclude: (path: string) => path.endsWith('.js') }))).to.deep.equal(['a.ts'])
  })

  it('answers directory entries', async () => {
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
