import type { CodecOptions } from './options.ts'
import type { Progress } from '../../tools/progress.ts'

/**
 * What each part of the case is measured with
 */
export interface CodecContext {
  readonly options: CodecOptions
  readonly progress: Progress
  readonly signal: AbortSignal
}
