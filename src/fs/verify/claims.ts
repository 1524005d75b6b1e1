import { cidOf, dagCborCode } from '../../codec/index.ts'
import { sha256 } from '../../hash.ts'
import { joinPath } from '../../path.ts'
import type { Layout } from '../../codec/index.ts'
import type { RunClaims } from '../../directory/index.ts'
import type { IndexClaims } from '../../file/index.ts'
import type { CID } from 'multiformats/cid'

/** What a block is to be by what links to it. Numbers that are undefined are not claimed. */
export type Claims =
  | { readonly role: 'any' }
  | { readonly role: 'snapshot', readonly isParent: boolean }
  | { readonly role: 'directory', readonly size: number | undefined }
  | { readonly role: 'run', readonly run: RunClaims }
  | { readonly role: 'index', readonly index: IndexClaims }
  | { readonly role: 'chunk', readonly length: number | undefined }

/** Where a block is reached: the way from the root is not spelled out, as most blocks have nothing to be told of. */
export interface BlockPath {
  readonly parent: BlockPath | undefined
  readonly name: string
  readonly depth: number
  readonly snapshot: CID | undefined
  /** That of the files of the tree, where it is known */
  readonly layout: Layout | undefined
}

/** A block to be looked at. */
export interface Link {
  readonly cid: CID
  readonly claims: Claims
  readonly place: BlockPath
}

export function rootPlace (layout: Layout | undefined, snapshot?: CID): BlockPath {
  return { parent: undefined, name: '', depth: 0, snapshot, layout }
}

export function placeIn (parent: BlockPath, name: string): BlockPath {
  return { parent, name, depth: parent.depth + 1, snapshot: parent.snapshot, layout: parent.layout }
}

export function pathOf (place: BlockPath): string {
  const names: string[] = []

  for (let at: BlockPath | undefined = place; at?.parent !== undefined; at = at.parent) {
    names.push(at.name)
  }

  return names.reduceRight(joinPath, '/')
}

const encoder = new TextEncoder()

/**
 * A name for a block together with all that is said of it: what has the same name need not be looked at again. It is a hash,
 * so that nobody can have one block taken for another, written as a CID of the format.
 */
export async function nameOf ({ cid, claims, place: { layout } }: Link): Promise<CID> {
  const said = encoder.encode(JSON.stringify([claims, isOfFiles(claims) ? layout : undefined]))
  const bytes = new Uint8Array(cid.bytes.byteLength + said.byteLength)
  bytes.set(cid.bytes)
  bytes.set(said, cid.bytes.byteLength)
  const digest = sha256(bytes)

  return cidOf(dagCborCode, digest instanceof Promise ? await digest : digest)
}

/** Whether the layout matters for a block or for what is below it. */
function isOfFiles ({ role }: Claims): boolean {
  return role !== 'chunk' && role !== 'snapshot'
}
