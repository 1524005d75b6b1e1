/** A sentence of docs/guarantees.md, and what holds it */
export interface Sentence {
  readonly text: string
  /** Parts of `npm run torture`, which the tests run at a small size */
  readonly parts: readonly string[]
  /** Tests by their file and what their title begins with */
  readonly tests: ReadonlyArray<readonly [file: string, title: string]>
}

/** What is promised of data that was stored, word for word as docs/guarantees.md has it */
export const promise: readonly Sentence[] = [
  {
    text: 'A root returned by `commit()` can be read in full after a crash or a power cut, on every disk store that can sync. Such a commit has `durability: \'commit\'`, the default of the pack store; a store that cannot sync refuses it.',
    parts: ['kills', 'power'],
    tests: [
      ['test/fs/publish/publish.spec.ts', 'is that of a commit on a syncing store: blocks, sync, root, sync'],
      ['test/fs/publish/publish.spec.ts', 'is refused if the blockstore cannot sync'],
      ['test/fs/publish/publish.spec.ts', 'is refused if the root store cannot sync'],
      ['test/adapters/disk-roots/disk-roots.node.ts', 'loses no acknowledged root, and opens without repair']
    ]
  },
  {
    text: '[Durability](durability.md) says what every other store keeps.',
    parts: ['kills', 'power'],
    tests: [
      ['test/fs/killed-commits.node.ts', 'have every acknowledged root, in full'],
      ['test/adapters/disk-roots/disk-roots.node.ts', 'loses no acknowledged root, and opens without repair'],
      ['test/fs/publish/publish.spec.ts', 'is none on a store that cannot sync'],
      ['test/fs/publish/publish.spec.ts', 'opens the previous root if the store has lost the last'],
      ['test/fs/publish/publish.spec.ts', 'continues from the previous root, and keeps it for the next loss']
    ]
  },
  {
    text: 'Before that, the newest changes may be lost, never older ones; the store opens again without repair.',
    parts: ['kills', 'power', 'failures', 'reopening', 'index'],
    tests: [
      ['test/pack/hostile-content.node.ts', 'is not a commit record if its block is truncated: the published root stays'],
      ['test/pack/deleting.node.ts', 'survives a kill during a compaction with more deletions than one record holds'],
      ['test/pack/deletions-beside-roots.node.ts', 'do not prevent a root that fits alone from being published'],
      ['test/fs/publish/publish.spec.ts', 'is not reported if sync fails: the old root stays, and a retry succeeds']
    ]
  },
  {
    text: 'No read returns bytes that do not match their CID, unless the store was opened as trusted.',
    parts: ['damage', 'cars'],
    tests: [
      ['test/blockstore/reader.spec.ts', 'refuses bytes that do not match the CID'],
      ['test/blockstore/reader.spec.ts', 'trusts a trusted store'],
      ['test/codec/cid.spec.ts', 'finds every flipped bit']
    ]
  },
  {
    text: '`verify()` finds every damaged, missing or unreadable block, and changes nothing unless asked to. `drop` and `heal` ask for it, and its result says what they did.',
    parts: ['damage', 'heal'],
    tests: [
      ['test/pack/damage.node.ts', 'changes nothing by verifying'],
      ['test/pack/remade-index.node.ts', 'knows what was lost after a rebuild was killed'],
      ['test/pack/damage.node.ts', 'never reports an unreadable block as missing'],
      ['test/pack/lost-end.node.ts', 'does not report a block as missing that may precede a damaged record'],
      ['test/pack/flushing-beside.node.ts', 'reports every missing block by verify()'],
      ['test/fs/verify/pack-store.node.ts', 'finds a needed block that the store never had'],
      ['test/pack/index-damaged-within.node.ts', 'still reports a missing end of the log'],
      ['test/pack/dropping-beside-puts.node.ts', 'keeps a block put again and published while another source is queried'],
      ['test/pack/healed-and-synced.node.ts', 'is synced if a segment was missing'],
      ['test/pack/bad-input.node.ts', 'reports a missing segment, and heals it']
    ]
  },
  {
    text: 'Garbage collection never removes a block that a retained root, a snapshot or an open handle reaches.',
    parts: ['gc', 'pack-gc'],
    tests: [
      ['test/fs/gc/suite.ts', 'keeps the whole history of a name, with its trees'],
      ['test/fs/gc/suite.ts', 'keeps the content of an open file that was overwritten'],
      ['test/fs/gc/suite.ts', 'loses nothing put, committed or read concurrently'],
      ['test/pack/bad-input.node.ts', 'keeps a block that is put during garbage collection'],
      ['test/pack/races.node.ts', 'keeps a large block whose put resolves during garbage collection'],
      ['test/pack/flushing-beside.node.ts', 'moves a block that only the index knows during compaction'],
      ['test/pack/index-bit-damaged.node.ts', 'is repaired by a collection']
    ]
  },
  {
    text: 'Hostile blocks, CARs, names and requests get a typed error within bounded time and memory. Nothing is written outside the target directory.',
    parts: ['fuzz', 'in-place', 'bombs', 'cars', 'exports'],
    tests: [
      ['test/pack/hostile-content.node.ts', 'is searched in linear time, with a head every few bytes'],
      ['test/pack/searched-again.node.ts', 'is hashed a bounded number of times with long heads between empty sections'],
      ['test/fs/bomb.node.ts', 'refuses a recursive readdir with a typed error within 400 MB'],
      ['test/pack/hostile-content.node.ts', 'is not decoded as a record: two million items cost their bytes only'],
      ['test/codec/fuzz.spec.ts', 'refuses mutated blocks with a typed error, or re-encodes them to themselves'],
      ['test/adapters/host/export.node.ts', 'writes nothing outside the target and follows no link, for any tree'],
      ['test/adapters/host/exchanged-targets.node.ts', 'writes nothing through the link, and names the replaced directory'],
      ['test/adapters/host/export.node.ts', 'is refused after maxEntries entries']
    ]
  }
]
