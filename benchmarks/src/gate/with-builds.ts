import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeDefaultCorpus } from '../corpora/default-corpora.ts'
import { generateTree } from '../corpora/generate-tree.ts'
import { memoryDirectory } from '../harness/memory-directory.ts'
import { withTemporaryDirectory } from '../harness/temporary.ts'
import { buildOfCheckout, buildOfCommit } from './builds.ts'
import { copyDriver } from './driver.ts'
import { gateCorpora } from './rows/index.ts'
import type { PairContext } from './measure-pair.ts'
import type { TreeShape } from '../corpora/plan-tree.ts'
import type { Progress } from '../tools/progress.ts'

/**
 * With all that the default corpus of this name has, and a third of its bytes
 */
const GENERATED: TreeShape = { files: 80, bytes: 3 * 2 ** 20, depth: 5, duplicates: 0.1, seed: 'dagfs/gate/1' }

/**
 * One file of sixteen pieces
 */
const LARGE: TreeShape = { files: 1, bytes: 2 ** 24, depth: 1, duplicates: 0, seed: 'dagfs/gate/large/1' }

/**
 * An import with a record reads a file once more that changed within 30 seconds before,
 * and somewhat longer for each MiB of the file. Earlier builds have no option for that.
 */
const SETTLED_MS = 31_000

/**
 * What both builds are compared with
 */
export type Prepared = Pick<PairContext, 'driver' | 'builds' | 'corpora' | 'directory'>

/**
 * Makes builds of the checkout and of a commit, or of the checkout twice, and
 * the corpora; all of it is gone afterwards.
 */
export async function withBuilds <T> (root: string, baseline: string | undefined, progress: Progress, signal: AbortSignal, run: (prepared: Prepared) => Promise<T>): Promise<T> {
  return withTemporaryDirectory(async directory => {
    progress('making both builds and the corpora')

    const corpora = Object.fromEntries(gateCorpora.map(name => [name, join(directory, 'corpora', name)]))

    await mkdir(join(directory, 'corpora'))

    await generateTree(join(directory, 'corpora/generated'), GENERATED)
    await generateTree(join(directory, 'corpora/large'), LARGE)
    await makeDefaultCorpus('src', join(directory, 'corpora'))

    // while the corpora settle
    const settled = setTimeout(SETTLED_MS, undefined, { signal })
    settled.catch(() => {})

    const driver = await copyDriver(join(directory, 'driver'))
    const builds = {
      baseline: baseline == null ? await buildOfCheckout(root, join(directory, 'baseline')) : await buildOfCommit(root, baseline, join(directory, 'baseline'), signal),
      checkout: await buildOfCheckout(root, join(directory, 'checkout'))
    }

    await settled

    return run({ driver, builds, corpora, directory })
  }, await memoryDirectory())
}
