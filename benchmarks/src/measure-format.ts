import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { measureFormat } = await import('./cases/format/index.ts')

  await measureFormat(process.argv)
}
