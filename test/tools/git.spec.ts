import './global-buffer.ts'
import { MemoryBlockstore } from 'blockstore-core'
import { dagfs } from '../../src/index.ts'
import { gitSuite } from './git-suite.ts'
import { ticking } from './ticking.ts'

const files = ['README.md', 'src/a.js', 'src/deep/er/b.js', 'src/empty', 'ü/large.bin']

gitSuite('dagfs', async () => {
  const fs = dagfs({ blockstore: new MemoryBlockstore() }, { clock: ticking() })
  await fs.addAll(files.map((file, i) => ({ path: `/repository/${file}`, content: file === 'src/empty' ? '' : `${file}\n`.repeat(1 + i * 1_000) })))

  return { fs, dir: '/repository', files }
})
