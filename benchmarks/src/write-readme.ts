import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { updateStudy } from './gate/committed-study.ts'
import { drawPictures, updateReadme, updateSummary } from './readme.ts'
import { packageRoot } from './tools/package-root.ts'

const readme = new URL('../README.md', packageRoot)
const ownReadme = new URL('README.md', packageRoot)
const pictures = new URL('pictures/', packageRoot)

await writeFile(readme, await updateSummary(await readFile(readme, 'utf8'), 'benchmarks/pictures', 'benchmarks/README.md'))
await writeFile(ownReadme, await updateStudy(await updateReadme(await readFile(ownReadme, 'utf8'), 'pictures')))

// a picture that is no longer shown goes
await rm(pictures, { recursive: true, force: true })
await mkdir(pictures)

for (const [name, svg] of await drawPictures()) {
  await writeFile(new URL(name, pictures), svg)
}
