import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pMap from 'p-map'
import { startKuboDaemon } from '../../contenders/kubo-daemon.ts'
import { collectRefs } from '../../contenders/kubo-refs.ts'
import type { Checked } from './check-stored.ts'
import type { KuboRPCClient } from 'kubo-rpc-client'

export interface KuboAgreement {
  readonly corpus: string
  /**
   * Blocks under our root, counted by us
   */
  readonly blocks: number
  /**
   * Blocks under our root, counted by Kubo
   */
  readonly imported: number
  /**
   * Whether every dag-cbor block that Kubo decoded and encoded again kept its CID
   */
  readonly reencodedEqual: boolean
}

/**
 * Requests to Kubo that are under way at once
 */
const REQUESTS = 8

export interface AgreementSubject {
  readonly corpus: string
  readonly root: string
  readonly car: NonNullable<Checked['car']>
}

/**
 * Gives our DAG to a Kubo of its own, and has it count and encode the blocks.
 */
export async function agreeWithKubo (subject: AgreementSubject, binary: string, parent: string, signal: AbortSignal): Promise<KuboAgreement> {
  const directory = await mkdtemp(join(parent, 'agreement-'))

  try {
    const { node } = await startKuboDaemon(binary, directory)

    try {
      return await agree(node.api, subject, signal)
    } finally {
      await node.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function agree (client: KuboRPCClient, { corpus, root, car }: AgreementSubject, signal: AbortSignal): Promise<KuboAgreement> {
  for await (const { root: { pinErrorMsg } } of client.dag.import([createReadStream(car.file)], { pinRoots: false, signal })) {
    if (pinErrorMsg !== '') {
      throw new Error(`Kubo did not import ${corpus}: ${pinErrorMsg}`)
    }
  }

  // the root itself is not among its references
  const references = await collectRefs(client.refs(root, { recursive: true, unique: true, signal }))
  const kept = await pMap(car.dagCbor, async cid => {
    // through dag-json, so that Kubo cannot hand the bytes on as they are
    const again = await client.dag.put(await getDagJson(client, cid, signal), { inputCodec: 'dag-json', storeCodec: 'dag-cbor', signal })

    return again.toString() === cid
  }, { concurrency: REQUESTS, signal })

  return { corpus, blocks: car.blocks, imported: references.size + 1, reencodedEqual: kept.every(Boolean) }
}

/**
 * Has Kubo decode a block; the client's own `dag.get` would do so itself.
 */
async function getDagJson (client: KuboRPCClient, cid: string, signal: AbortSignal): Promise<Uint8Array> {
  const { protocol, host, port, pathname } = client.getEndpointConfig()
  const url = new URL(`${protocol}//${host}:${port}${pathname}/dag/get`)

  url.search = new URLSearchParams({ arg: cid, 'output-codec': 'dag-json' }).toString()

  const response = await fetch(url, { method: 'POST', signal })

  if (!response.ok) {
    throw new Error(`Kubo does not decode ${cid}: ${await response.text()}`)
  }

  return response.bytes()
}
