import fs from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../architecture/sources.ts'
import { apiPages } from './table.ts'

for (const { file, write } of apiPages) {
  const page = path.join(repository, file)

  await fs.writeFile(page, await write(await fs.readFile(page, 'utf8')))
}
