import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { candidatesWithoutLinks } from '../corpora/candidates.ts'
import { ownPeakMemory } from './own-memory.ts'
import { checkedBlocks, readUnixfs } from './read-unixfs.ts'
import { requireSame } from './require-same.ts'
import type { ContenderContext, OpenContender } from './contender.ts'
import type { CID } from 'multiformats/cid'

/**
 * The part of js-ipfs that is used, since its own types are not in the main
 * install. Its CIDs are those of an older multiformats, and it takes ours.
 */
interface JsIpfs {
  addAll(source: AsyncIterable<unknown>, options: object): AsyncIterable<{ cid: { toString(): string } }>
  version(): Promise<{ version: string }>
  stop(): Promise<void>
  block: { get(cid: CID): Promise<Uint8Array> }
  repo: { gc(): AsyncIterable<{ err?: Error }> }
  refs: { local(): AsyncIterable<{ ref: string, err?: Error }> }
}

/**
 * As near to the profile `unixfs-v1-2025`, which js-ipfs predates, as it gets
 */
function addOptions (): object {
  return {
    cidVersion: 1,
    rawLeaves: true,
    chunker: 'size-1048576',
    maxChildrenPerNode: 1024,
    wrapWithDirectory: true,
    pin: false,
    preload: false
  }
}

function nodeOptions (repo: string): object {
  return {
    repo,
    offline: true,
    start: false,
    silent: true,
    init: { emptyRepo: true, algorithm: 'Ed25519' },
    preload: { enabled: false },
    config: {
      Bootstrap: [],
      Discovery: { MDNS: { Enabled: false }, webRTCStar: { Enabled: false } },
      Addresses: { Swarm: [], Delegates: [] }
    }
  }
}

export async function openJsIpfs ({ directory, tools }: ContenderContext): Promise<OpenContender> {
  if (tools['js-ipfs'] == null) {
    throw new Error('js-ipfs is not installed')
  }

  const create = await load(tools['js-ipfs'])
  const node = await create(nodeOptions(join(directory, 'repo')))
  const { version } = await node.version()

  // collecting garbage makes the root of its mutable filesystem, an empty
  // directory, which stays
  await collectGarbage(node)

  const constant = await localBlocks(node)

  return {
    version: `ipfs-core ${version}`,
    options: { repo: 'on disk, never synced', node: nodeOptions('…'), import: addOptions() },

    async add (source) {
      let cid: string | undefined

      for await (const result of node.addAll(candidatesWithoutLinks(source), addOptions())) {
        cid = result.cid.toString()
      }

      if (cid == null) {
        throw new Error(`nothing was added of ${source}`)
      }

      return { cid, durable: false }
    },
    async empty () {
      await collectGarbage(node)
      requireSame(constant, await localBlocks(node))
    },
    read: root => readUnixfs(root, checkedBlocks(async cid => node.block.get(cid))),
    peakMemory: ownPeakMemory,
    close: async () => node.stop()
  }
}

async function load (directory: string): Promise<(options: object) => Promise<JsIpfs>> {
  const packageDirectory = join(directory, 'node_modules', 'ipfs-core')
  const { exports } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'))
  const { create } = await import(pathToFileURL(join(packageDirectory, exports['.'].import)).href)

  return create
}

async function collectGarbage (node: JsIpfs): Promise<void> {
  for await (const { err } of node.repo.gc()) {
    if (err != null) {
      throw err
    }
  }
}

async function localBlocks (node: JsIpfs): Promise<Set<string>> {
  const blocks = new Set<string>()

  for await (const { ref, err } of node.refs.local()) {
    if (err != null) {
      throw err
    }

    blocks.add(ref)
  }

  return blocks
}
