import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const KUBO_PROFILES = ['test', 'autoconf-off', 'unixfs-v1-2025']

/**
 * Kubo asks nobody and is asked by nobody
 */
export const KUBO_ENVIRONMENT = { IPFS_TELEMETRY: 'off' }

/**
 * On top of the profiles: nothing but its RPC, on a port of loopback that is free
 */
export const KUBO_CONFIG = {
  Addresses: { Swarm: [], API: '/ip4/127.0.0.1/tcp/0', Gateway: '' },
  Routing: { Type: 'none' }
}

interface DatastoreSpec {
  readonly type: string
  readonly sync?: boolean
  readonly mountpoint?: string
  readonly mounts?: readonly DatastoreSpec[]
}

/**
 * What the report says of a Kubo repo, read from its own configuration
 */
export interface RepoFacts {
  /**
   * flatfs syncs every block, or none, by its datastore's `sync`
   */
  readonly durable: boolean
  readonly datastore: unknown
  readonly import: unknown
}

export async function repoFacts (repo: string): Promise<RepoFacts> {
  const config = JSON.parse(await readFile(join(repo, 'config'), 'utf8'))
  const spec: DatastoreSpec = config.Datastore.Spec
  const blocks = spec.mounts?.find(mount => mount.mountpoint === '/blocks') ?? spec

  return { durable: blocks.type === 'flatfs' && blocks.sync === true, datastore: spec, import: config.Import }
}
