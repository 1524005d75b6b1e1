import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { writeCommittedPage } = await import('./report/committed.ts')

  process.stdout.write(`${await writeCommittedPage()}\n`)
}
