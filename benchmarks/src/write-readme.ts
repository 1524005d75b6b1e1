import { readFile, writeFile } from 'node:fs/promises'
import { updateReadme } from './readme.ts'

const readme = new URL('../../../README.md', import.meta.url)

await writeFile(readme, await updateReadme(await readFile(readme, 'utf8')))
