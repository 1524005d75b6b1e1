import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { candidatesWithoutLinks } from '../corpora/candidates.ts'
import { startKuboDaemon } from './kubo-daemon.ts'
import { collectRefs } from './kubo-refs.ts'
import { KUBO_CONFIG, KUBO_PROFILES, repoFacts } from './kubo-repo.ts'
import { peakMemoryOf } from './process-memory.ts'
import { readCar } from './read-car.ts'
import { requireSame } from './require-same.ts'
import type { ContenderContext, OpenContender } from './contender.ts'
import type { KuboDaemon } from './kubo-daemon.ts'

/**
 * The rest follows from the profile in the repo's configuration
 */
function addOptions (): { pin: boolean, wrapWithDirectory: boolean } {
  return { pin: false, wrapWithDirectory: true }
}

export async function openKuboOverRpc ({ directory, tools }: ContenderContext): Promise<OpenContender> {
  if (tools.kubo == null) {
    throw new Error('there is no Kubo')
  }

  const daemon = await startKuboDaemon(tools.kubo, directory)

  try {
    return await overRpc(daemon, directory)
  } catch (err) {
    await daemon.node.stop()
    throw err
  }
}

async function overRpc ({ node, repo, pid }: KuboDaemon, directory: string): Promise<OpenContender> {
  const { durable, ...facts } = await repoFacts(repo)
  const { agentVersion } = await node.api.id()
  const constant = await collectRefs(node.api.refs.local())

  return {
    version: `${agentVersion} (daemon)`,
    options: { profiles: KUBO_PROFILES, config: KUBO_CONFIG, daemon: ['--offline'], ...facts, add: addOptions() },

    async add (source) {
      let cid: string | undefined

      for await (const result of node.api.addAll(candidatesWithoutLinks(source), addOptions())) {
        cid = result.cid.toString()
      }

      if (cid == null) {
        throw new Error(`nothing was added of ${source}`)
      }

      return { cid, durable }
    },
    async empty () {
      for await (const { err } of node.api.repo.gc()) {
        if (err != null) {
          throw err
        }
      }

      requireSame(constant, await collectRefs(node.api.refs.local()))
    },
    async * read (root) {
      const car = join(directory, 'export.car')

      try {
        await pipeline(node.api.dag.export(root), createWriteStream(car))
        yield * readCar(car, root)
      } finally {
        await rm(car, { force: true })
      }
    },
    peakMemory: async () => peakMemoryOf(pid),
    close: async () => node.stop()
  }
}
