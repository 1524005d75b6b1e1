import fs from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../architecture/sources.ts'
import { withTables } from './table.ts'

const readme = path.join(repository, 'README.md')

await fs.writeFile(readme, await withTables(await fs.readFile(readme, 'utf8')))
