import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { execa } from 'execa'
import { cached } from '../tools/cache-directory.ts'
import { npmCi } from '../tools/npm-ci.ts'
import { runtimeDependencies } from './runtime-dependencies.ts'
import type { Lock } from './runtime-dependencies.ts'

// A build is a directory as an installed package is one: package.json, dist/src, node_modules.

const SOURCES = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'benchmarks/package.json']

/**
 * Makes a build of the checkout as it is on the disk, which must have been compiled.
 */
export async function buildOfCheckout (root: string, directory: string): Promise<string> {
  await mkdir(join(directory, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(directory, 'package.json'))
  await cp(join(root, 'dist/src'), join(directory, 'dist/src'), { recursive: true })
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))

  return directory
}

/**
 * Makes a build of a commit, which is compiled once for this machine. It has
 * packages of its own where those that run with it are others than the checkout's.
 */
export async function buildOfCommit (root: string, commit: string, directory: string, signal: AbortSignal): Promise<string> {
  const kept = await cached('gate-build', ['1', commit, process.version], async unfinished => compile(root, commit, unfinished, signal))

  await mkdir(directory, { recursive: true })

  for (const part of ['package.json', 'dist']) {
    await cp(join(kept, part), join(directory, part), { recursive: true })
  }

  const same = runtimeDependencies(await readLock(kept)) === runtimeDependencies(await readLock(root))

  await symlink(join(same ? root : await packagesOf(kept, signal), 'node_modules'), join(directory, 'node_modules'))

  return directory
}

/**
 * @throws {Error} where a module of one build is another one in the other
 */
export async function requireSameCode (build: string, other: string): Promise<void> {
  for (const file of await readdir(join(build, 'dist/src'), { recursive: true })) {
    const module = join('dist/src', file)

    if (file.endsWith('.js') && await readFile(join(build, module), 'utf8') !== await readFile(join(other, module), 'utf8')) {
      throw new Error(`${module} is not what its source compiles to: npm run build compiles it`)
    }
  }
}

/**
 * As `npm run build` does, without looking at types, which was done when the
 * commit was made.
 */
async function compile (root: string, commit: string, directory: string, signal: AbortSignal): Promise<void> {
  const archive = join(directory, 'archive.tar')
  const tsc = createRequire(join(root, 'package.json')).resolve('typescript/bin/tsc')
  const modules = join(directory, 'node_modules')

  await execa('git', ['archive', '--output', archive, commit, ...SOURCES], { cwd: root, cancelSignal: signal })
  await execa('tar', ['-xf', archive], { cwd: directory, cancelSignal: signal })
  await rm(archive)
  // for the settings that tsconfig.json extends
  await symlink(join(root, 'node_modules'), modules)
  await execa(process.execPath, [tsc, '-p', '.', '--noCheck', '--declaration', 'false', '--declarationMap', 'false', '--composite', 'false', '--incremental', 'false', '--rootDir', '.', '--outDir', 'dist'], { cwd: directory, cancelSignal: signal })
  await rm(modules)
}

/**
 * Installs what runs with a build from its own lock, once for this machine.
 */
async function packagesOf (build: string, signal: AbortSignal): Promise<string> {
  const lock = await readFile(join(build, 'package-lock.json'), 'utf8')

  return cached('gate-packages', [lock], async unfinished => {
    for (const part of ['package.json', 'package-lock.json', 'benchmarks/package.json']) {
      await cp(join(build, part), join(unfinished, part))
    }

    await npmCi(unfinished, ['--omit=dev', '--omit=peer', '--workspaces=false'], signal)
  })
}

async function readLock (directory: string): Promise<Lock> {
  return JSON.parse(await readFile(join(directory, 'package-lock.json'), 'utf8'))
}
