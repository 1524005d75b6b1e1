import { execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expect } from 'aegir/chai'
import all from 'it-all'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { asNobody } from '../../as-nobody.ts'
import type { DiskRootsInit } from '../../../src/adapters/disk-roots/index.ts'

let directory: string
let file: string

async function makeDirectory (): Promise<void> {
  directory = await fs.mkdtemp(path.join(tmpdir(), 'dagfs-roots-'))
  file = path.join(directory, 'roots.sqlite')
}

async function removeDirectory (): Promise<void> {
  await fs.rm(directory, { recursive: true })
}

/** Names and contents of the directory's files, but for the one that SQLite notes locks in */
async function contents (): Promise<Map<string, string>> {
  const names = (await fs.readdir(directory)).filter(name => !name.endsWith('-shm')).sort()

  return new Map(await Promise.all(names.map(async (name): Promise<[string, string]> => [name, (await fs.readFile(path.join(directory, name))).toString('base64')])))
}

async function setOne (at: string = file): Promise<void> {
  using roots = diskRoots(at)
  await roots.compareAndSet('site', undefined, Uint8Array.of(1))
}

async function read (init: DiskRootsInit = {}): Promise<Uint8Array | undefined> {
  using roots = diskRoots(file, init)

  return await roots.get('site')
}

function make (statements: string, at: string = file): DatabaseSync {
  const database = new DatabaseSync(at)
  database.exec(statements)

  return database
}

describe('the path of diskRoots', () => {
  const before = process.cwd()

  beforeEach(async () => {
    await makeDirectory()
    process.chdir(directory)
  })

  afterEach(async () => {
    process.chdir(before)
    await removeDirectory()
  })

  it('is refused if it cannot be a file', () => {
    for (const given of ['', ':memory:', 'file:', 'file::memory:', 'file:roots?mode=memory', 'FILE:///roots', 'roots/', 'a\0b', '\ud800', new URL('https://example.com/roots'), new URL('file:///roots?mode=memory'), new URL('file:///roots#1'), new URL('file:///a%2Fb')]) {
      expect(() => diskRoots(given), String(given)).to.throw().with.include({ code: 'ERR_INVALID_OPTION', option: 'file' })
    }
  })

  it('may contain any characters that a file name may', async () => {
    const names = ['roots?mode=memory', 'roots#1', 'roots%3f', './:memory:', './file:roots', 'ünï ✓', "quote'd"]

    for (const name of names) {
      await setOne(name)
      expect((await fs.stat(path.join(directory, name))).size, name).to.be.above(0)
      using roots = diskRoots(pathToFileURL(path.join(directory, name)))
      expect(await roots.get('site'), name).to.deep.equal(Uint8Array.of(1))
    }

    expect((await fs.readdir(directory)).filter(name => !/-(?:wal|shm)$/.test(name))).to.have.members(names.map(name => path.normalize(name)))
  })

  it('is resolved against the working directory of the constructor call', async () => {
    await fs.mkdir('other')
    using roots = diskRoots('roots.sqlite')
    process.chdir('other')
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    roots.close()
    process.chdir(directory)

    expect(await read()).to.deep.equal(Uint8Array.of(1))
    expect(await fs.readdir('other')).to.deep.equal([])
  })

  it('is named in the error if no file can be created there', async () => {
    await fs.writeFile('text', '')
    await fs.symlink('absent/roots', 'dangling')

    for (const name of ['absent/roots', 'text/roots', 'dangling']) {
      const expected = { name: 'StoreStateError', path: path.resolve(name) }
      using roots = diskRoots(name)
      await expect(roots.get('site'), name).to.eventually.be.rejected.with.include(expected)
      await expect(roots.compareAndSet('site', undefined, Uint8Array.of(1)), name).to.eventually.be.rejected.with.include(expected)
    }

    expect(await fs.readdir('.')).to.have.members(['text', 'dangling'])
  })

  it('may be a link to a file that does not exist yet', async () => {
    await fs.mkdir('other')
    await fs.symlink(path.join('other', 'roots'), file)
    await setOne()

    expect(await fs.readdir('other')).to.deep.equal(['roots'])
    expect(await read()).to.deep.equal(Uint8Array.of(1))
  })
})

describe('diskRoots of a foreign file', () => {
  beforeEach(makeDirectory)
  afterEach(removeDirectory)

  async function expectRefused (expected: object): Promise<void> {
    const found = await contents()

    for (const init of [{}, { readonly: true }]) {
      using roots = diskRoots(file, init)
      await expect(roots.get('site')).to.eventually.be.rejected.with.include(expected)
      await expect(all(roots.names())).to.eventually.be.rejected.with.include(expected)
    }

    using roots = diskRoots(file)
    await expect(roots.compareAndSet('site', undefined, Uint8Array.of(1))).to.eventually.be.rejected.with.include(expected)
    expect(await contents()).to.deep.equal(found)
  }

  const foreign = { code: 'ERR_INVALID_OPTION', option: 'file' }
  const databases = {
    'the database of a program': 'PRAGMA application_id = 1234; CREATE TABLE users (id INTEGER)',
    'a database with an application\'s number alone': 'PRAGMA application_id = 1234',
    'a database with a version alone': 'PRAGMA user_version = 3',
    'a database without numbers': 'CREATE TABLE users (id INTEGER)',
    'a database with a table of the same name': 'CREATE TABLE roots (name TEXT PRIMARY KEY, owner TEXT)',
    'a database with our table and others': 'CREATE TABLE roots (name TEXT PRIMARY KEY, record BLOB NOT NULL) STRICT, WITHOUT ROWID; CREATE TABLE users (id INTEGER)',
    'a database that is written ahead': 'PRAGMA journal_mode = WAL; CREATE TABLE users (id INTEGER)'
  }

  Object.entries(databases).forEach(([name, statements]) => {
    it(`refuses ${name}, and leaves it unchanged`, async () => {
      make(statements).close()
      await expectRefused(foreign)
    })
  })

  it('refuses a foreign database whose data is only in its log', async () => {
    using database = make('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE users (id INTEGER)')
    await expectRefused(foreign)
    expect(database.prepare('SELECT * FROM users').all()).to.deep.equal([])
  })

  it('releases no lock on a database that it refuses', async () => {
    using database = make('CREATE TABLE users (id INTEGER)')
    database.exec('BEGIN EXCLUSIVE')
    await expect(diskRoots(file, { timeoutMs: 0 }).get('site')).to.eventually.be.rejected.with.property('code', 'ERR_STORE_LOCKED')

    const other = 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec("SELECT * FROM users")'
    expect(() => execFileSync(process.execPath, ['-e', other, file], { stdio: 'pipe' })).to.throw('database is locked')
  })

  it('refuses an empty file, whose roots are lost', async () => {
    await fs.writeFile(file, '')
    await expectRefused({ name: 'CorruptStoreError', path: file })
  })

  it('refuses a file too short for a database', async () => {
    for (const text of ['x', 'SQLite format 3\0']) {
      await fs.writeFile(file, text)
      await expectRefused({ name: 'CorruptStoreError', path: file })
    }
  })

  it('refuses a file that is not a database', async () => {
    await fs.writeFile(file, 'x'.repeat(5_000))
    await expectRefused({ code: 'ERR_SQLITE_ERROR', path: file })
  })

  it('refuses roots of a newer version', async () => {
    await setOne()
    make('PRAGMA user_version = 2').close()
    await expectRefused({ name: 'UnsupportedVersionError' })
  })

  it('refuses a directory, and does not wait for a pipe', async () => {
    await fs.mkdir(file)
    await expect(read()).to.eventually.be.rejected.with.include({ code: 'EISDIR', path: file })
    await fs.rmdir(file)

    for (const name of [file, `${file}-wal`, `${file}-shm`]) {
      execFileSync('mkfifo', [name])
      await expect(read()).to.eventually.be.rejected.with.include({ code: 'EINVAL', path: name })
      await fs.rm(name)
      await setOne()
    }
  })

  it('reads unversioned roots of earlier releases, and an interrupted creation', async () => {
    const begin = 'PRAGMA journal_mode = WAL'
    make(begin).close()
    expect(await read()).to.equal(undefined)
    await fs.rm(file)
    make(`${begin}; CREATE TABLE IF NOT EXISTS roots (name TEXT PRIMARY KEY, record BLOB NOT NULL) STRICT, WITHOUT ROWID; INSERT INTO roots VALUES ('site', x'05')`).close()

    expect(await read()).to.deep.equal(Uint8Array.of(5))
    expect(await read({ readonly: true })).to.deep.equal(Uint8Array.of(5))
  })
})

describe('diskRoots without write permission', () => {
  beforeEach(makeDirectory)
  afterEach(removeDirectory)

  const inits: DiskRootsInit[] = [{}, { readonly: true }]

  async function expectReadOnly (): Promise<void> {
    const found = await contents()

    for (const init of inits) {
      using roots = diskRoots(file, init)
      expect(await roots.get('site')).to.deep.equal(Uint8Array.of(1))
      expect(await roots.get('other')).to.equal(undefined)
      expect(await all(roots.names())).to.deep.equal(['site'])
      await expect(roots.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.eventually.be.rejected.with.include({ name: 'StoreStateError', path: file })
    }

    expect(await contents()).to.deep.equal(found)
  }

  it('reads in a read-only directory', async () => {
    await setOne()
    await asNobody(directory, async () => {
      await fs.chmod(directory, 0o555)
      await expectReadOnly()
      await fs.chmod(file, 0o444)
      await expectReadOnly()
      await fs.chmod(directory, 0o755)
    })
  })

  it('reads a read-only file', async () => {
    await setOne()
    await asNobody(directory, async () => {
      await fs.chmod(file, 0o444)
      expect(await read()).to.deep.equal(Uint8Array.of(1))
      expect(await read({ readonly: true })).to.deep.equal(Uint8Array.of(1))
      await expect(diskRoots(file).compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))).to.eventually.be.rejected.with.property('name', 'StoreStateError')
    })
  })

  it('reads what a killed process left only in the log', async () => {
    const origin = path.join(directory, 'origin')
    using roots = diskRoots(origin)
    await roots.compareAndSet('site', undefined, Uint8Array.of(1))
    await fs.copyFile(origin, file)
    await fs.copyFile(`${origin}-wal`, `${file}-wal`)
    roots.close()
    await asNobody(directory, async () => {
      await fs.chmod(directory, 0o555)
      await expectReadOnly()
      await fs.chmod(directory, 0o755)
    })
  })

  it('sees what another process sets later', async () => {
    await setOne()
    using reader = diskRoots(file, { readonly: true })
    expect(await reader.get('site')).to.deep.equal(Uint8Array.of(1))
    using writer = diskRoots(file)
    await writer.compareAndSet('site', Uint8Array.of(1), Uint8Array.of(2))

    expect(await reader.get('site')).to.deep.equal(Uint8Array.of(2))
  })

  it('creates no file', async () => {
    await expect(read({ readonly: true })).to.eventually.be.rejected.with.include({ name: 'NotFoundError', path: file })
    expect(await fs.readdir(directory)).to.deep.equal([])
  })
})
