import { diskStores } from './disk-stores.ts'
import { fileSystemSuite } from './suite.ts'

for (const [name, open] of Object.entries(diskStores)) {
  fileSystemSuite(name, open)
}
