import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { execa } from 'execa'
import { BASELINE_FILE, readBaseline } from '../../src/gate/baseline.ts'
import { gateRowOf } from '../../src/gate/rows/index.ts'
import { runtimeDependencies } from '../../src/gate/runtime-dependencies.ts'
import { repositoryRoot } from '../../src/tools/repository.ts'
import { temporary } from '../temporary.ts'

const NOBODY = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always']

describe('the baseline of the gate', () => {
  it('is an ancestor of HEAD', async () => {
    const { commit, reason, rows } = await readBaseline(repositoryRoot)

    assert.match(commit, /^[0-9a-f]{40}$/)
    assert.ok(reason.length > 20)
    rows.forEach(gateRowOf)
  })

  it('is read with its reason', async () => {
    const { root, first } = await repository()

    await commitFiles(root, { [BASELINE_FILE]: baseline(first) })
    assert.deepEqual(await readBaseline(root), { commit: first, reason: 'it was the first', rows: ['a row'] })
  })

  it('is never HEAD', async () => {
    const { root, first } = await repository()

    await write(root, { [BASELINE_FILE]: baseline(first) })
    await assert.rejects(readBaseline(root), /is HEAD itself/)
  })

  it('gives a reason', async () => {
    const { root, first } = await repository()

    await commitFiles(root, { [BASELINE_FILE]: JSON.stringify({ commit: first, reason: ' ', rows: [] }) })
    await assert.rejects(readBaseline(root), /reason has to say why/)
  })

  it('lists its rows', async () => {
    const { root, first } = await repository()

    await commitFiles(root, { [BASELINE_FILE]: JSON.stringify({ commit: first, reason: 'it was the first' }) })
    await assert.rejects(readBaseline(root), /rows has to list/)
  })

  it('may not move in a commit that changes src', async () => {
    const { root, first } = await repository()

    await commitFiles(root, { [BASELINE_FILE]: baseline(first), 'src/index.ts': 'export const slow = true\n' })
    await assert.rejects(readBaseline(root), /also changes src/)
  })

  it('may not move in such a commit, even if a later one touches it', async () => {
    const { root, first } = await repository()
    const slow = await commitFiles(root, { [BASELINE_FILE]: baseline(first), 'src/index.ts': 'export const slow = true\n' })

    await commitFiles(root, { [BASELINE_FILE]: `${baseline(first)}\n` })
    await assert.rejects(readBaseline(root), new RegExp(`${slow}, which also changes src`))
  })

  it('may not move in such a commit of a merged branch', async () => {
    const { root, first } = await repository()

    await commitFiles(root, { [BASELINE_FILE]: baseline(first) })
    await git(root, 'checkout', '--quiet', '-b', 'branch')
    await commitFiles(root, { [BASELINE_FILE]: `${baseline(first)}\n`, 'src/index.ts': 'export const slow = true\n' })
    await commitFiles(root, { [BASELINE_FILE]: baseline(first) })
    await git(root, 'checkout', '--quiet', 'main')
    await commitFiles(root, { other: '' })
    await git(root, 'merge', '--quiet', '--no-edit', 'branch')
    await assert.rejects(readBaseline(root), /also changes src/)
  })

  it('may move uncommitted, but not together with a changed src', async () => {
    const { root, first } = await repository()
    const second = await commitFiles(root, { [BASELINE_FILE]: baseline(first) })

    await commitFiles(root, { other: '' })
    await write(root, { [BASELINE_FILE]: baseline(second) })
    assert.equal((await readBaseline(root)).commit, second)
    await write(root, { 'src/other.ts': 'export const slow = true\n' })
    await assert.rejects(readBaseline(root), /not committed, and so has src/)
  })

  it('explains how a shallow clone gets it', async () => {
    const { root, first } = await repository()
    const clone = join(await temporary(), 'clone')

    await commitFiles(root, { [BASELINE_FILE]: baseline(first) })
    await git(root, 'clone', '--quiet', '--depth', '1', `file://${root}`, clone)
    await assert.rejects(readBaseline(clone), /not in this clone: get it with git fetch --unshallow/)
    await git(clone, 'fetch', '--quiet', '--unshallow')
    assert.equal((await readBaseline(clone)).commit, first)
  })

  it('must be an ancestor of HEAD', async () => {
    const { root } = await repository()

    await git(root, 'checkout', '--quiet', '-b', 'other')

    const other = await commitFiles(root, { 'src/index.ts': 'export const other = true\n' })

    await git(root, 'checkout', '--quiet', 'main')
    await commitFiles(root, { [BASELINE_FILE]: baseline(other) })
    await assert.rejects(readBaseline(root), /does not come from the baseline/)
  })

  it('needs a repository', async () => {
    const root = await temporary()

    await write(root, { [BASELINE_FILE]: baseline('0'.repeat(40)) })
    await assert.rejects(readBaseline(root), /no git repository/)
  })
})

describe('packages used by a build', () => {
  it('are those of the lock file reachable from the root package', async () => {
    const lock = JSON.parse(await readFile(join(repositoryRoot, 'package-lock.json'), 'utf8'))
    const before = runtimeDependencies(lock)

    assert.match(before, /^node_modules\/cborg \d/m)
    assert.doesNotMatch(before, /node_modules\/aegir /)

    lock.packages['node_modules/aegir'].version = '0.0.1'
    assert.equal(runtimeDependencies(lock), before)

    lock.packages['node_modules/cborg'].version = '0.0.1'
    assert.notEqual(runtimeDependencies(lock), before)
  })

  it('are found as in Node.js: nested ones first', () => {
    const packages = {
      '': { dependencies: { a: '1', b: '1' } },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2' } },
      'node_modules/a/node_modules/b': { version: '2.0.0' },
      'node_modules/b': { version: '1.0.0', dependencies: { c: '1' } },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/d': { version: '1.0.0' }
    }

    assert.deepEqual(runtimeDependencies({ packages }).split('\n').map(line => line.split(' ')[0]), ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b', 'node_modules/c'])
  })
})

function baseline (commit: string): string {
  return JSON.stringify({ commit, reason: 'it was the first', rows: ['a row'] })
}

async function repository (): Promise<{ root: string, first: string }> {
  const root = await temporary()

  await git(root, 'init', '--quiet')

  return { root, first: await commitFiles(root, { 'src/index.ts': 'export const fast = true\n' }) }
}

async function commitFiles (root: string, files: Readonly<Record<string, string>>): Promise<string> {
  await write(root, files)
  await git(root, 'add', '.')
  await git(root, 'commit', '--quiet', '--message', 'Change something')

  return git(root, 'rev-parse', 'HEAD')
}

async function write (root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function git (root: string, ...args: string[]): Promise<string> {
  return (await execa('git', [...NOBODY, ...args], { cwd: root })).stdout
}
