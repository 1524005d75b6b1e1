// nothing else may be imported here: what is needed below does not load on an
// older Node, and would hide this sentence behind a stack trace
import { requireNode } from './require-node.ts'

if (requireNode()) {
  const { main } = await import('./main.ts')

  await main(process.argv)
}
