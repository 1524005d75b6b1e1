import { expect } from 'aegir/chai'
import git from 'isomorphic-git'
import type { PromiseFsClient, ReadCommitResult } from 'isomorphic-git'

const author = { name: 'Ada', email: 'ada@example.org', timestamp: 1_700_000_000, timezoneOffset: 0 }

/** What isomorphic-git asks of a filesystem, and what the suite does by itself. */
type Worktree = PromiseFsClient['promises'] & {
  readFile(path: string, encoding: 'utf8'): Promise<string>
  writeFile(path: string, content: string): Promise<void>
  unlink(path: string): Promise<void>
}

/** A directory with files in it that no repository holds yet. */
export interface GitPlace {
  readonly fs: Worktree
  readonly dir: string
  /** Paths of files in it, relative to it */
  readonly files: readonly string[]
}

/**
 * A day's work with isomorphic-git, which leaves a repository with a merge behind.
 */
export function gitSuite (name: string, open: () => Promise<GitPlace>, close: (place: GitPlace) => Promise<void> = async () => {}): void {
  describe(`isomorphic-git on ${name}`, () => {
    let place: GitPlace
    let repository: { fs: PromiseFsClient, dir: string, cache: object }

    before(async () => {
      place = await open()
      repository = { fs: { promises: place.fs }, dir: place.dir, cache: {} }
    })

    after(async () => {
      await close(place)
    })

    it('creates a repository and commits all files', async () => {
      await git.init({ ...repository, defaultBranch: 'main' })
      expect((await git.statusMatrix(repository)).map(([file, ...status]) => [file, ...status]))
        .to.deep.equal(sorted(place.files).map(file => [file, 0, 2, 0]))

      await git.add({ ...repository, filepath: '.' })
      await commit('first')

      expect(await git.listFiles(repository)).to.deep.equal(sorted(place.files))
      expect((await git.statusMatrix(repository)).every(([, head, work, stage]) => head === 1 && work === 1 && stage === 1)).to.equal(true)
    })

    it('reports changed, added and removed files', async () => {
      const [changed, removed] = place.files
      await write(changed, 'changed\n')
      await write('added.txt', 'added\n')
      await place.fs.unlink(`${place.dir}/${removed}`)

      expect(await git.status({ ...repository, filepath: changed })).to.equal('*modified')
      expect(await git.status({ ...repository, filepath: 'added.txt' })).to.equal('*added')
      expect(await git.status({ ...repository, filepath: removed })).to.equal('*deleted')

      await git.add({ ...repository, filepath: [changed, 'added.txt'] })
      await git.remove({ ...repository, filepath: removed })
      await commit('second')
      expect((await log()).map(({ commit: { message } }) => message.trim())).to.deep.equal(['second', 'first'])
    })

    it('detects a change of the same size', async () => {
      await write('added.txt', 'adDed\n')
      expect(await git.status({ ...repository, filepath: 'added.txt' })).to.equal('*modified')

      await write('added.txt', 'added\n')
      expect(await git.status({ ...repository, filepath: 'added.txt' })).to.equal('unmodified')
    })

    it('branches, checks out and merges', async () => {
      await git.branch({ ...repository, ref: 'feature', checkout: true })
      await write('feature.txt', 'on the branch\n')
      await git.add({ ...repository, filepath: 'feature.txt' })
      await commit('on feature')

      await git.checkout({ ...repository, ref: 'main' })
      await expect(read('feature.txt')).to.eventually.be.rejected().with.property('code', 'ENOENT')
      await write('main.txt', 'on main\n')
      await git.add({ ...repository, filepath: 'main.txt' })
      await commit('on main')

      const { mergeCommit } = await git.merge({ ...repository, theirs: 'feature', author })
      expect(mergeCommit).to.equal(true)
      await git.checkout({ ...repository, ref: 'main' })

      expect(await read('feature.txt')).to.equal('on the branch\n')
      expect(await read('main.txt')).to.equal('on main\n')
      expect((await log())[0].commit.parent).to.have.length(2)
      expect((await git.listBranches(repository)).sort()).to.deep.equal(['feature', 'main'])
    })

    it('checks out an earlier file, and back', async () => {
      const first = (await log()).at(-1)
      await git.checkout({ ...repository, ref: first?.oid ?? '' })
      expect(await git.listFiles(repository)).to.deep.equal(sorted(place.files))
      expect(await read(place.files[0])).to.not.equal('changed\n')

      await git.checkout({ ...repository, ref: 'main' })
      expect(await read(place.files[0])).to.equal('changed\n')
      expect((await git.statusMatrix(repository)).every(([, head, work, stage]) => head === 1 && work === 1 && stage === 1)).to.equal(true)
    })

    async function commit (message: string): Promise<void> {
      await git.commit({ ...repository, message, author })
    }

    async function log (): Promise<ReadCommitResult[]> {
      return git.log(repository)
    }

    async function read (file: string): Promise<string> {
      return place.fs.readFile(`${place.dir}/${file}`, 'utf8')
    }

    async function write (file: string, content: string): Promise<void> {
      await place.fs.writeFile(`${place.dir}/${file}`, content)
    }
  })
}

// as git orders them: by their bytes
function sorted (files: readonly string[]): string[] {
  return [...files].sort()
}
