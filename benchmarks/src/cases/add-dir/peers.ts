import type { Row } from './row.ts'

// whom each of ours is held against: the same kind of store, and what stands for the disk
const PEERS: Readonly<Record<string, readonly string[]>> = {
  'dagfs-mem': ['helia-mem'],
  'dagfs-fs': ['helia-fs'],
  'dagfs-pack': ['floor', 'kubo-direct', 'helia-fs']
}

/**
 * Says how much faster one of ours is than its peers, by the means: `3.7x
 * helia-mem`; nothing of the others.
 */
export function compareWithPeers (row: Row, rows: readonly Row[]): string {
  const { msPerOp } = row

  return (PEERS[row.contender] ?? [])
    .flatMap(key => rows.find(({ contender, corpus, phase }) => contender === key && corpus === row.corpus && phase === row.phase) ?? [])
    .flatMap(peer => peer.msPerOp == null || msPerOp == null ? [] : `${timesAsFast(peer.msPerOp / msPerOp)} ${peer.contender}`)
    .join(', ')
}

function timesAsFast (factor: number): string {
  return `${factor.toFixed(factor < 2 ? 2 : 1)}x`
}
