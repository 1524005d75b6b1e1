import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { updateStudy } from './gate/committed-study.ts'
import { caseReadmes, drawPictures, updateHeadline, updateReadme, updateSummary } from './readme.ts'
import { packageRoot } from './tools/package-root.ts'

const pictures = new URL('pictures/', packageRoot)

await update('../README.md', text => updateHeadline(text, 'benchmarks/pictures'))
await update('../docs/performance.md', text => updateSummary(text, '../benchmarks/pictures', '../benchmarks/src/cases'))
await update('src/gate/README.md', updateStudy)

for (const { path, folder } of caseReadmes()) {
  await update(path, text => updateReadme(text, folder))
}

// a picture that is no longer shown goes
await rm(pictures, { recursive: true, force: true })
await mkdir(pictures)

for (const [name, svg] of await drawPictures()) {
  await writeFile(new URL(name, pictures), svg)
}

async function update (path: string, change: (text: string) => Promise<string>): Promise<void> {
  const file = new URL(path, packageRoot)

  await writeFile(file, await change(await readFile(file, 'utf8')))
}
