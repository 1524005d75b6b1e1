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
      ['test/fs/publish/publish.spec.ts', 'is that of the commit on a store that can: blocks, sync, root, sync'],
      ['test/fs/publish/publish.spec.ts', 'is refused where the blockstore cannot sync'],
      ['test/fs/publish/publish.spec.ts', 'is refused where the store of roots cannot'],
      ['test/adapters/disk-roots/disk-roots.node.ts', 'loses no acknowledged root, and opens without repair']
    ]
  },
  {
    text: '[Durability](durability.md) says what every other store keeps.',
    parts: ['kills', 'power'],
    tests: [
      ['test/fs/killed-commits.node.ts', 'have every root that was answered, in full'],
      ['test/adapters/disk-roots/disk-roots.node.ts', 'loses no acknowledged root, and opens without repair'],
      ['test/fs/publish/publish.spec.ts', 'is none on a store that cannot sync'],
      ['test/fs/publish/publish.spec.ts', 'opens with the root before, where the store has lost the last'],
      ['test/fs/publish/publish.spec.ts', 'goes on from the root before, and keeps it for the next loss']
    ]
  },
  {
    text: 'Before that, the newest changes may be lost, never older ones; the store opens again without repair.',
    parts: ['kills', 'power', 'failures', 'reopening', 'index'],
    tests: [
      ['test/pack/hostile-content.node.ts', 'is not a commit record if its block is truncated: the published root stays'],
      ['test/pack/deleting.node.ts', 'survives a kill during a compaction with more deletions than one record holds'],
      ['test/pack/deletions-beside-roots.node.ts', 'do not prevent a root that fits alone from being published'],
      ['test/fs/publish/publish.spec.ts', 'is not claimed where syncing fails: the old root stands, and committing again works']
    ]
  },
  {
    text: 'No read returns bytes that do not match their CID, unless the store was opened as trusted.',
    parts: ['damage', 'cars'],
    tests: [
      ['test/blockstore/reader.spec.ts', 'refuses bytes that the CID does not name'],
      ['test/blockstore/reader.spec.ts', 'takes the word of a trusted store'],
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
      ['test/fs/verify/pack-store.node.ts', 'finds a block that a tree needs and the store has never had, of which the store itself cannot know'],
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
      ['test/fs/gc/suite.ts', 'keeps the content of a file that is open and was overwritten'],
      ['test/fs/gc/suite.ts', 'loses nothing that is put, committed or read at the same time'],
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
      ['test/fs/bomb.node.ts', 'answers a recursive readdir with a typed error before 400 MB are taken'],
      ['test/pack/hostile-content.node.ts', 'is not decoded as a record: two million items cost their bytes only'],
      ['test/codec/fuzz.spec.ts', 'refuses mutated blocks with a typed error, or they encode to themselves'],
      ['test/adapters/host/export.node.ts', 'writes nothing outside the target and follows no link, for any tree'],
      ['test/adapters/host/exchanged-targets.node.ts', 'writes nothing through the link, and names the replaced directory'],
      ['test/adapters/host/export.node.ts', 'is refused after maxEntries entries']
    ]
  }
]
