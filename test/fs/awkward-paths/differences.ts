import type { Call, Outcome } from './calls.ts'

/** What a call came to on both sides. */
export interface Outcomes {
  readonly call: Call
  readonly host: Outcome
  readonly own: Outcome
}

/** A difference that is meant. The table "Paths that Node.js treats otherwise" of docs/filesystem.md has a row for each. */
export interface Difference {
  /** The first cell of its row */
  readonly title: string
  holds(outcomes: Outcomes): boolean
}

export const differences: readonly Difference[] = [
  {
    title: 'copyFile(directory, file)',
    holds: ({ call, host, own }) => call.step.startsWith('copyFile') && codeOf(host) === 'EISDIR' && codeOf(own) === 'EISDIR'
  },
  {
    title: "rm('a/..', { recursive: true })",
    holds: ({ call }) => isRecursiveRemoval(call) && /\/\.\.\/*$/.test(`/${call.paths[0]}`)
  },
  {
    title: "rm('a/link/a', { recursive: true })",
    holds: ({ call, host, own }) => isRecursiveRemoval(call) && call.paths[0].split('/').length > 2 && codeOf(host) === undefined && codeOf(own) === undefined
  },
  {
    title: "rm('link/', { recursive: true })",
    holds: ({ call, host, own }) => isRecursiveRemoval(call) && call.paths[0].endsWith('/') && codeOf(host) === undefined && codeOf(own) === 'ENOTDIR'
  },
  {
    title: "readdir('link/..', { recursive: true })",
    holds: ({ call }) => call.step === 'readdir with types' && call.paths[0].includes('..')
  },
  {
    title: "cp('a', 'link/..', { recursive: true })",
    holds: ({ call }) => call.step === 'cp recursive' && call.paths.some(path => path.includes('..'))
  },
  {
    title: 'cp(missing, wrong)',
    holds: ({ call, host, own }) => isCopy(call) && isRefusedLookUp(host) && isRefusedLookUp(own)
  },
  {
    title: 'cp(danglingLink, link)',
    holds: ({ call, host, own }) => isCopy(call) && isRefusedLookUp(host) && codeOf(own) === undefined
  },
  {
    title: "cp('link/file', 'link')",
    holds: ({ call, host, own }) => isCopy(call) && 'code' in host && /^ENOENT: .*, (?:copyfile|symlink) /.test(host.message) && codeOf(own) === undefined
  },
  {
    title: "cp('a', 'a/b')",
    holds: ({ call, host, own }) => isCopy(call) && [host, own].some(isIntoItself)
  },
  {
    title: "cp('a', 'b', { recursive: true })",
    holds: ({ call, host, own }) => call.step === 'cp recursive' && [host, own].every(outcome => codeOf(outcome) !== undefined)
  }
]

/** What is not to be done to the host: Node.js goes on until paths are too long. */
export function isEndless (call: Call, own: Outcome): boolean {
  return isCopy(call) && isIntoItself(own)
}

function codeOf (outcome: Outcome): unknown {
  return 'code' in outcome ? outcome.code : undefined
}

function isRecursiveRemoval ({ step }: Call): boolean {
  return step.startsWith('rm recursive')
}

function isCopy ({ step }: Call): boolean {
  return step.startsWith('cp')
}

function isIntoItself (outcome: Outcome): boolean {
  return codeOf(outcome) === 'ERR_FS_CP_EINVAL'
}

function isRefusedLookUp (outcome: Outcome): boolean {
  return 'code' in outcome && /^E[A-Z]+: .*, l?stat /.test(outcome.message)
}
