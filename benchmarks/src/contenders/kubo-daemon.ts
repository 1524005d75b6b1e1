import { join } from 'node:path'
import { createNode } from 'ipfsd-ctl'
import { create } from 'kubo-rpc-client'
import { STOPPING_MS } from './contender.ts'
import { KUBO_CONFIG, KUBO_ENVIRONMENT, KUBO_PROFILES } from './kubo-repo.ts'
import type { KuboNode } from 'ipfsd-ctl'

export interface KuboDaemon {
  readonly node: KuboNode
  readonly repo: string
  readonly pid: number
}

/**
 * Starts a real Kubo with a repo of its own, offline on loopback.
 */
export async function startKuboDaemon (binary: string, directory: string): Promise<KuboDaemon> {
  const repo = join(directory, 'repo')
  const node = await createNode({
    type: 'kubo',
    rpc: create,
    bin: binary,
    repo,
    disposable: true,
    env: KUBO_ENVIRONMENT,
    init: { profiles: KUBO_PROFILES, emptyRepo: true, config: KUBO_CONFIG },
    start: { offline: true },
    // leveldb is flushed on the way out
    stop: { forceKillTimeout: STOPPING_MS }
  })
  const { pid } = await node.info()

  if (pid == null) {
    throw new Error('the daemon has no process')
  }

  return { node, repo, pid }
}
