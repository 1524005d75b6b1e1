import fs from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../architecture/sources.ts'
import { withLimits } from './limits.ts'

const readme = path.join(repository, 'README.md')

await fs.writeFile(readme, withLimits(await fs.readFile(readme, 'utf8')))
