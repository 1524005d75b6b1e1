import { FsBlockstore } from 'blockstore-fs'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'
import { dagfs } from '../../../src/index.ts'
import { addFiles } from './add-files.ts'

// a process that adds files under a name which others share

const [, , blocks, file, prefix, count] = process.argv
const blockstore = new FsBlockstore(blocks)
await blockstore.open()
const roots = diskRoots(file, { timeoutMs: 60_000 })
const merges = await addFiles(dagfs({ blockstore }, { name: 'shared', roots }), prefix, Number(count))
roots.close()
await blockstore.close()
process.send?.(merges)
