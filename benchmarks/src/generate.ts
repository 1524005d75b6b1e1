import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { generate } = await import('./generate-command.ts')

  await generate(process.argv)
}
