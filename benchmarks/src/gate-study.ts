import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { gateStudy } = await import('./gate/study-command.ts')

  await gateStudy(process.argv)
}
