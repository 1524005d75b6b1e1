/**
 * A clock that is a second later whenever it is looked at: tools that compare times tell any two writes apart.
 */
export function ticking (): () => Date {
  let time = 1_700_000_000_000

  return () => new Date(time += 1_000)
}
