import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { gate } = await import('./gate/command.ts')

  await gate(process.argv)
}
