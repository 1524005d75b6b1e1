import { describeError } from '../harness/describe-error.ts'
import { findKubo } from './find-kubo.ts'
import { installJsIpfs } from './install-js-ipfs.ts'
import type { Progress } from './progress.ts'
import type { ToolName, Tools } from '../contenders/index.ts'

export type FoundTool =
  | { readonly path: string, readonly foundBy: string }
  | { readonly missing: string }

const finders: Readonly<Record<ToolName, (progress: Progress, signal: AbortSignal) => Promise<FoundTool>>> = {
  async kubo (progress, signal) {
    const { binary, foundBy } = await findKubo(progress, signal)

    return { path: binary, foundBy }
  },
  async 'js-ipfs' (progress, signal) {
    return { path: await installJsIpfs(progress, signal), foundBy: 'npm' }
  }
}

/**
 * Finds what contenders need, building or installing it where that has to be;
 * what cannot be had is a fact for the report, with its reason.
 */
export async function findTools (names: Iterable<ToolName>, progress: Progress, signal: AbortSignal): Promise<Map<ToolName, FoundTool>> {
  const found = new Map<ToolName, FoundTool>()

  for (const name of new Set(names)) {
    try {
      found.set(name, await finders[name](progress, signal))
    } catch (err) {
      signal.throwIfAborted()
      found.set(name, { missing: describeError(err) })
    }
  }

  return found
}

/**
 * Returns where those tools are that were found.
 */
export function availableTools (found: ReadonlyMap<ToolName, FoundTool>): Tools {
  return Object.fromEntries([...found].flatMap(([name, tool]) => 'path' in tool ? [[name, tool.path]] : []))
}
