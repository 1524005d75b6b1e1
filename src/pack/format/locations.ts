import type { LogPosition } from './record.ts'

/** Where a block's bytes stand */
export interface Location {
  readonly segment: number
  readonly offset: number
  readonly length: number
}

/** Whether something stands at a place of the log or came later. */
export function isAtOrBehind ({ segment, offset }: LogPosition, place: LogPosition): boolean {
  return segment > place.segment || (segment === place.segment && offset >= place.offset)
}
