import { IDBBlockstore } from 'blockstore-idb'
import { dagfs, indexedDbRoots } from '../../../src/index.ts'
import { addFiles, contentOf } from './add-files.ts'

// a tab that adds files under a name which others share, or reads all of them

async function work (mode: string, prefixes: readonly string[], count: number): Promise<number> {
  const blockstore = new IDBBlockstore('shared-blocks')
  await blockstore.open()
  const roots = indexedDbRoots('shared-roots')
  const fs = dagfs({ blockstore }, { name: 'shared', roots })

  try {
    if (mode === 'add') {
      return await addFiles(fs, prefixes[0], count)
    }

    let right = 0

    for (const prefix of prefixes) {
      for (let i = 0; i < count; i++) {
        right += await fs.readFile(`/${prefix}-${i}`, 'utf8') === contentOf(prefix, i) ? 1 : 0
      }
    }

    return right
  } finally {
    await roots.close()
    await blockstore.close()
  }
}

Object.assign(globalThis, { work })
