import { FsBlockstore } from 'blockstore-fs'
import { LevelBlockstore } from 'blockstore-level'
import { diskRoots } from '../../src/adapters/disk-roots/index.ts'
import { dagfs } from '../../src/index.ts'

// a process to be killed: it commits one tree after the other, and tells of each once that is done

const [, , kind, directory] = process.argv
const blockstore = kind === 'fs' ? new FsBlockstore(`${directory}/blocks`) : new LevelBlockstore(`${directory}/blocks`)
await blockstore.open()
const fs = dagfs({ blockstore }, { name: 'site', roots: diskRoots(`${directory}/roots.sqlite`) })

for (let count = 1; ; count++) {
  await fs.addAll(['a', 'b/c', 'b/d/e'].map((path, i) => ({ path, content: new Uint8Array(3_000 * (i + 1)).fill(count) })))
  await fs.commit()
  process.send?.(count)
}
