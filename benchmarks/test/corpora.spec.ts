import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { execa } from 'execa'
import { candidatesWithoutLinks } from '../src/corpora/candidates.ts'
import { copyTree, withoutDuplicates, withoutLinks } from '../src/corpora/copy-tree.ts'
import { describeCorpus } from '../src/corpora/corpus.ts'
import { GENERATED } from '../src/corpora/default-corpora.ts'
import { generateTree } from '../src/corpora/generate-tree.ts'
import { planTree } from '../src/corpora/plan-tree.ts'
import { walk } from '../src/corpora/walk.ts'
import { startCli } from './run-cli.ts'
import { temporary } from './temporary.ts'
import { treeCid } from './tree-cid.ts'
import type { WalkedEntry } from '../src/corpora/walk.ts'

const SMALL = { files: 12, bytes: 3_000_000, depth: 2, duplicates: 0.25, seed: 'small' }
const CID_OF_SMALL = 'bafybeibyemcwc2e5mj33mjeiso4tf5b4pthj3qgrzza52mg6frbs4anjgq'

async function collect (directory: string): Promise<WalkedEntry[]> {
  const entries = []

  for await (const entry of walk(directory)) {
    entries.push(entry)
  }

  return entries
}

describe('a generated tree', () => {
  it('is the same for the same seed, on every machine', async () => {
    const directory = join(await temporary(), 'tree')

    await generateTree(directory, SMALL)

    assert.equal(await treeCid(directory), CID_OF_SMALL)
  })

  it('is another one for another seed', () => {
    assert.notDeepEqual(planTree({ ...SMALL, seed: 'other' }), planTree(SMALL))
  })

  for (const shape of [GENERATED, SMALL, { ...SMALL, files: 1 }, { ...SMALL, bytes: 0 }, { ...SMALL, files: 1000, duplicates: 1 }, { ...SMALL, depth: 0, bytes: 1 }]) {
    it(`has exactly the files, bytes and depth that were asked for: ${JSON.stringify(shape)}`, () => {
      const { files } = planTree(shape)

      assert.equal(files.length, shape.files)
      assert.equal(new Set(files.map(({ path }) => path)).size, shape.files)
      assert.equal(files.reduce((sum, { size }) => sum + size, 0), shape.bytes)
      assert.ok(files.every(({ size }) => size >= 0))
      assert.ok(files.every(({ path }) => path.split('/').length <= shape.depth + 1))
    })
  }

  it('reaches the depth that was asked for', () => {
    assert.ok(planTree(GENERATED).directories.some(path => path.split('/').length === GENERATED.depth))
  })

  it('repeats content in the share of files that was asked for', () => {
    const { files } = planTree(GENERATED)

    assert.equal(files.length - new Set(files.map(({ content }) => content)).size, GENERATED.files * GENERATED.duplicates)
  })

  it('holds by default all that importers are known to get wrong', () => {
    const { files, directories } = planTree(GENERATED)
    const names = files.map(({ path }) => path)

    assert.ok(files.some(({ size }) => size > 2 ** 20), 'a file of more than one chunk')
    assert.ok(files.some(({ size }) => size === 0), 'an empty file')
    assert.ok(names.includes('.hidden'), 'a dotfile')
    assert.ok(names.some(name => /[^\0-\x7F]/.test(name)), 'a name outside ASCII')
    assert.ok(directories.includes('empty-directory') && !names.some(name => name.startsWith('empty-directory/')), 'an empty directory')
  })

  it('is not written over what is there', async () => {
    const directory = await temporary()

    await assert.rejects(generateTree(directory, SMALL), { code: 'EEXIST' })
  })

  it('is made by npm run generate, which says what it made', async () => {
    const directory = join(await temporary(), 'tree')
    const { stdout, exitCode } = await startCli('generate', [directory, '--files', '12', '--bytes', '3000000', '--depth', '2', '--duplicates', '0.25', '--seed', 'small'])

    assert.equal(exitCode, 0)
    assert.match(stdout, /12 files of 3000000 bytes/)
    assert.equal(await treeCid(directory), CID_OF_SMALL)
  })
})

describe('walking a corpus', () => {
  it('yields dotfiles and empty directories, and links as links', async () => {
    const directory = await temporary()

    await mkdir(join(directory, 'empty'))
    await mkdir(join(directory, '.dot'))
    await writeFile(join(directory, '.dot', '.file'), 'x')
    await symlink('nowhere', join(directory, 'broken'))
    await symlink('.dot', join(directory, 'loop'))

    const entries = await collect(directory)

    assert.deepEqual(new Map(entries.map(({ path, kind }) => [path, kind])), new Map([
      ['broken', 'link'],
      ['loop', 'link'],
      ['empty', 'directory'],
      ['.dot', 'directory'],
      ['.dot/.file', 'file']
    ]))
  })

  it('refuses a special file and names it', async () => {
    const directory = await temporary()

    await execa('mkfifo', [join(directory, 'pipe')])
    await assert.rejects(collect(directory), /none of them: pipe/)
  })

  it('refuses a name that is not UTF-8', async () => {
    const directory = await temporary()

    await writeFile(Buffer.concat([Buffer.from(join(directory, 'name-')), Buffer.from([0xff])]), 'x')
    await assert.rejects(collect(directory), /names in UTF-8/)
  })
})

describe('describing a corpus', () => {
  it('counts what is in it', async () => {
    const directory = join(await temporary(), 'tree')

    await generateTree(directory, SMALL)
    await symlink('.hidden', join(directory, 'link'))

    const { files, bytes, links, largestFileBytes } = await describeCorpus({ name: 'small', directory })

    assert.deepEqual({ files, bytes, links }, { files: 12, bytes: 3_000_000, links: 1 })
    assert.ok(largestFileBytes > 2 ** 20)
  })
})

describe('a twin of a corpus', () => {
  it('keeps one file of each content, and all links and directories', async () => {
    const directory = await temporary()
    const twin = join(await temporary(), 'twin')

    await mkdir(join(directory, 'empty'))
    await writeFile(join(directory, 'a'), 'same')
    await writeFile(join(directory, 'b'), 'same')
    await writeFile(join(directory, 'c'), 'other')
    await symlink('a', join(directory, 'link'))
    await copyTree(directory, twin, withoutDuplicates())

    assert.deepEqual((await collect(twin)).map(({ path }) => path).sort(), ['a', 'c', 'empty', 'link'])
    assert.equal(await readFile(join(twin, 'a'), 'utf8'), 'same')
  })

  it('lacks the links alone where it is to lack links', async () => {
    const directory = await temporary()
    const twin = join(await temporary(), 'twin')

    await writeFile(join(directory, 'a'), 'a')
    await symlink('a', join(directory, 'link'))
    await copyTree(directory, twin, withoutLinks())

    assert.deepEqual((await collect(twin)).map(({ path }) => path), ['a'])
  })
})

describe('the source for those that know no links', () => {
  it('never drops a link quietly', async () => {
    const directory = await temporary()

    await symlink('nowhere', join(directory, 'link'))
    await assert.rejects(async () => {
      for await (const candidate of candidatesWithoutLinks(directory)) {
        assert.fail(`yields ${candidate.path}`)
      }
    }, /cannot carry the symbolic link link/)
  })
})
