import fs from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../architecture/sources.ts'
import { withLimits } from './limits.ts'

const page = path.join(repository, 'docs/limits.md')

await fs.writeFile(page, withLimits(await fs.readFile(page, 'utf8')))
