import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { KUBO_ENVIRONMENT, KUBO_PROFILES, repoFacts } from './kubo-repo.ts'
import { largerMemory, peakMemoryOf } from './process-memory.ts'
import { readCar } from './read-car.ts'
import { requireSame } from './require-same.ts'
import type { ContenderContext, OpenContender, PeakMemory } from './contender.ts'

/**
 * `-r` takes a directory, `-Q` prints the root alone, `-H` takes dotfiles
 */
const ADD = ['--offline', 'add', '-r', '-Q', '-H', '--pin=false']

/**
 * The memory of a command can only be read while it runs, so it is read this
 * often; what it reaches in its last milliseconds is missed
 */
const MEMORY_INTERVAL_MS = 20

/**
 * Runs Kubo's command line, a process for every add; that it has to start is
 * part of what is timed.
 */
export async function openKuboCommand ({ directory, tools }: ContenderContext): Promise<OpenContender> {
  const binary = tools.kubo

  if (binary == null) {
    throw new Error('there is no Kubo')
  }

  const pristine = join(directory, 'pristine')
  const repo = join(directory, 'repo')
  const stop = new AbortController()
  const inRepo = (IPFS_PATH: string): { env: Record<string, string>, cancelSignal: AbortSignal } => ({
    env: { ...KUBO_ENVIRONMENT, IPFS_PATH },
    cancelSignal: stop.signal
  })
  let peak: PeakMemory = { unknown: 'the command ended before its memory was read' }

  const localBlocks = async (): Promise<Set<string>> => {
    const { stdout } = await execa(binary, ['--offline', 'refs', 'local'], { ...inRepo(repo), lines: true })

    return new Set(stdout)
  }

  await execa(binary, ['init', '--empty-repo', `--profile=${KUBO_PROFILES.join(',')}`], inRepo(pristine))
  await cp(pristine, repo, { recursive: true })

  const { durable, ...facts } = await repoFacts(repo)
  const constant = await localBlocks()
  const { stdout: agentVersion } = await execa(binary, ['--offline', 'id', '--format=<aver>'], inRepo(repo))

  return {
    version: `${agentVersion} (command)`,
    options: { profiles: KUBO_PROFILES, command: ADD, ...facts },

    async add (source) {
      const command = execa(binary, [...ADD, source], inRepo(repo))
      const look = (): void => {
        if (command.pid != null) {
          peak = largerMemory(peak, peakMemoryOf(command.pid))
        }
      }
      const watch = setInterval(look, MEMORY_INTERVAL_MS)

      look()

      try {
        const { stdout } = await command

        return { cid: stdout.trim(), durable }
      } finally {
        clearInterval(watch)
      }
    },
    async empty () {
      await rm(repo, { recursive: true })
      await cp(pristine, repo, { recursive: true })
      requireSame(constant, await localBlocks())
    },
    async * read (root) {
      const car = join(directory, 'export.car')

      try {
        // without `buffer: false` it stalls at 100 MB, the buffer's end
        await execa(binary, ['--offline', 'dag', 'export', '--progress=false', root.toString()], { ...inRepo(repo), stdout: { file: car }, buffer: false })
        yield * readCar(car, root)
      } finally {
        await rm(car, { force: true })
      }
    },
    peakMemory: async () => peak,
    close: async () => stop.abort()
  }
}
