import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { measureMemory } = await import('./cases/memory/index.ts')

  await measureMemory(process.argv)
}
