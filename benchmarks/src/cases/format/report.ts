import { join } from 'node:path'
import { describeCorpus } from '../../corpora/corpus.ts'
import { generateTree } from '../../corpora/generate-tree.ts'
import { describeMachine } from '../../harness/machine.ts'
import { resolveGiven } from '../../harness/resolve-given.ts'
import { withTemporaryDirectory } from '../../harness/temporary.ts'
import { measureBoundaries } from './boundaries.ts'
import { measureImports } from './import-times.ts'
import { measureInlineLimit } from './inline-limit.ts'
import { measureListings } from './listing.ts'
import type { BoundaryRow } from './boundary-row.ts'
import type { ImportTimes } from './import-times.ts'
import type { InlineLimitRow } from './inline-limit.ts'
import type { ListingRow } from './listing.ts'
import type { FormatOptions } from './options.ts'
import type { CorpusDescription } from '../../corpora/corpus.ts'
import type { Machine } from '../../harness/machine.ts'
import type { Progress } from '../../tools/progress.ts'

export interface FormatReport {
  readonly schema: 1
  readonly machine: Machine
  readonly options: FormatOptions
  readonly boundaries: readonly BoundaryRow[]
  readonly listings: readonly ListingRow[]
  readonly corpus: Pick<CorpusDescription, 'files' | 'directories' | 'links' | 'bytes'>
  readonly inlineLimits: readonly InlineLimitRow[]
  readonly imports: readonly ImportTimes[]
}

/**
 * Small and large files, a tenth of them repeated, as in what people import
 */
const GENERATED = { files: 5_000, bytes: 60_000_000, depth: 6, duplicates: 0.1, seed: 'dagfs/format/tree' }

/**
 * Measures all that the format's figures rest on.
 */
export async function runFormat (options: FormatOptions, progress: Progress, signal: AbortSignal): Promise<FormatReport> {
  return withTemporaryDirectory(async scratch => {
    const boundaries = await measureBoundaries(options, progress, signal)
    const listings = await measureListings(options, progress, signal)
    const source = await sourceOf(options, scratch)
    const { files, directories, links, bytes } = await describeCorpus({ name: 'source', directory: source })
    const inlineLimits: InlineLimitRow[] = []
    const imports: ImportTimes[] = []

    for (const limit of options.limits) {
      signal.throwIfAborted()
      progress(`inline limit ${limit}`)
      inlineLimits.push(await measureInlineLimit(source, limit, options.edits, options.seed))
    }

    for (const store of options.stores) {
      imports.push(await measureImports(store, { source, scratch }, inlineLimits, options, progress, signal))
    }

    return {
      schema: 1,
      machine: await describeMachine(scratch),
      options,
      boundaries,
      listings,
      corpus: { files, directories, links, bytes },
      inlineLimits,
      imports
    }
  })
}

async function sourceOf ({ testPath }: FormatOptions, scratch: string): Promise<string> {
  if (testPath != null) {
    return resolveGiven(testPath)
  }

  const directory = join(scratch, 'tree')

  await generateTree(directory, GENERATED)

  return directory
}
