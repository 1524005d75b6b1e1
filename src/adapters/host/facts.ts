import type { HostStat } from './read-host-file.ts'
import type { RecordedDirectory } from './recorded-directory.ts'

// behind the letter of what could change without its facts saying so
const racyMark = '?'

/** The facts by which a file or link is known again: kind, size, mtime, ctime and inode. */
export function factsOf (kind: 'file' | 'symlink', { size, mtimeNs, ctimeNs, ino }: Omit<HostStat, 'mode'>): string {
  return `${letterOf(kind)}${size} ${mtimeNs} ${ctimeNs} ${ino}`
}

/** Those of what is racy, by which nothing is known again, and when it was seen so; later that tells that it is racy no more. */
export function racyFacts (kind: 'file' | 'symlink', facts: string, seenMs: number): string {
  return `${letterOf(kind)}${racyMark}${seenMs} ${facts.slice(1)}`
}

/** When something that is recorded as racy was seen with these facts, if it was. */
export function seenWith (recorded: string, facts: string): number | undefined {
  const space = recorded.indexOf(' ')

  return recorded[1] === racyMark && recorded.slice(space + 1) === facts.slice(1) && recorded[0] === facts[0] ? Number(recorded.slice(2, space)) : undefined
}

/** The kind of what has these facts. */
export function kindOfFacts (facts: string | RecordedDirectory): 'file' | 'directory' | 'symlink' {
  if (typeof facts !== 'string') {
    return 'directory'
  }

  return facts.startsWith('f') ? 'file' : 'symlink'
}

function letterOf (kind: 'file' | 'symlink'): string {
  return kind === 'file' ? 'f' : 'l'
}
