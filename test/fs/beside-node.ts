import * as node from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'aegir/chai'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import type { DagFs, Dirent } from '../../src/index.ts'

/** Makes a step and notes what it answers or throws, under a name; answers what the step answered. */
export type Note = <T>(step: () => Promise<T> | T, name?: string) => Promise<T | undefined>

interface Outcome {
  readonly step: string
  readonly answer: unknown
}

export type Scenario = (fs: DagFs, note: Note) => Promise<void>

// functions that take a second path
const withTwoPaths = ['rename', 'copyFile', 'cp', 'link', 'symlink']

/**
 * A test that takes the same steps in a directory of the host through `node:fs/promises`, and in a dagfs, and holds what
 * they answered and threw against each other.
 *
 * @param title - what is claimed
 * @param scenario - the steps
 * @param known - the names of steps that are known to differ
 */
export function besideNode (title: string, scenario: Scenario, known: readonly RegExp[] = []): void {
  it(title, async () => {
    const mask = process.umask(0o022)
    const parent = await node.mkdtemp(join(tmpdir(), 'dagfs-beside-'))
    const root = join(parent, 'root')
    await node.mkdir(root)

    try {
      const expected = await outcomes(async note => scenario(inDirectory(root), note), root)
      const found = await outcomes(async note => scenario(dagfs({ blockstore: new MemoryBlockstore() }), note))

      // only what differs, which is easier to read than two long lists
      const differing = Array.from(expected.keys()).filter(i => JSON.stringify(found[i]) !== JSON.stringify(expected[i]) && !known.some(step => step.test(expected[i].step)))

      expect(differing.map(i => found[i])).to.deep.equal(differing.map(i => expected[i]))
    } finally {
      process.umask(mask)
      await node.rm(parent, { recursive: true })
    }
  })
}

async function outcomes (run: (note: Note) => Promise<void>, root = ''): Promise<Outcome[]> {
  const noted: Outcome[] = []

  await run(async (step, name = String(noted.length)) => {
    try {
      const answer = await step()
      noted.push({ step: name, answer: plain(answer, root) })

      return answer
    } catch (err) {
      noted.push({ step: name, answer: plain(err, root) })
    }
  })

  return noted
}

/** The functions of Node, whose absolute paths are taken from a directory. */
function inDirectory (root: string): DagFs {
  const functions = Object.entries(node).filter(([, value]) => typeof value === 'function').map(([name, call]) => [
    name,
    (...parameters: unknown[]) => (call as (...given: unknown[]) => unknown)(...parameters.map((parameter, i) => {
      const isPath = i === 0 || (i === 1 && withTwoPaths.includes(name))

      return isPath && typeof parameter === 'string' && parameter.startsWith('/') && !parameter.startsWith(root) ? root + parameter : parameter
    }))
  ])

  return { ...Object.fromEntries(functions), constants: node.constants }
}

/** What of an answer or error can be compared: the host's directory, clock, owners and inodes are left out. */
function plain (value: unknown, root: string): unknown {
  if (typeof value === 'string') {
    return root === '' ? value : value.replaceAll(`${root}/`, '/').replaceAll(root, '/')
  }

  if (value instanceof Error) {
    const { name, message, code, errno, syscall, path, dest, cause } = value as NodeJS.ErrnoException & { dest?: string }
    // how a value is shown in a message is Node's own affair
    const facts = { name: name === 'FileSystemError' ? 'Error' : name, cause, code, errno, syscall, path, dest, message: code === 'ERR_INVALID_ARG_VALUE' ? message.replace(/ Received .*/s, '') : message }

    return Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, plain(fact, root)]))
  }

  if (ArrayBuffer.isView(value)) {
    return { bytes: Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) }
  }

  if (Array.isArray(value)) {
    return value.map(item => plain(item, root))
  }

  if (typeof value === 'object' && value !== null) {
    return plainObject(value, root)
  }

  return typeof value === 'bigint' ? `${value}n` : value
}

function plainObject (value: object, root: string): unknown {
  if ('fd' in value) {
    return 'an open file'
  }

  if ('mtimeMs' in value) {
    return plainStats(value as Awaited<ReturnType<DagFs['stat']>>)
  }

  if ('parentPath' in value) {
    const { name, parentPath, isFile, isDirectory, isSymbolicLink } = value as Dirent

    return { name: plain(name, root), parentPath: plain(parentPath, root), kind: [isFile, isDirectory, isSymbolicLink].map(is => is.call(value)) }
  }

  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, root)]))
}

function plainStats (stats: { mode: number | bigint, size: number | bigint, nlink: number | bigint, isFile(): boolean, isDirectory(): boolean, isSymbolicLink(): boolean }): unknown {
  const kind = [stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()]
  const { mode } = stats

  // what a directory takes is the host's own affair
  return stats.isDirectory() ? { kind, mode } : { kind, mode, size: stats.size, nlink: stats.nlink }
}
