/** Where a block's bytes stand */
export interface Location {
  readonly segment: number
  readonly offset: number
  readonly length: number
}
