import type { Operation } from './calls.ts'

interface Failure {
  readonly why: string
  readonly operations: readonly Operation[]
}

/**
 * Sequences that were answered wrongly once, of operations that the plain model has as well. They are tried before new
 * ones are looked for.
 */
export const plainFailures: readonly Failure[] = [
  {
    why: 'reading a directory was refused with its path, which Node.js does not know any more',
    operations: [
      { call: 'mkdir', args: ['a', false] },
      { call: 'readFile', args: ['a'] }
    ]
  },
  {
    why: 'what is below the directory . was listed with that in its path',
    operations: [
      { call: 'mkdir', args: ['a', false] },
      { call: 'mkdir', args: ['a/b', false] },
      { call: 'readdirTypes', args: ['.', true] }
    ]
  },
  {
    why: 'copyFile looked at the destination before the source',
    operations: [
      { call: 'writeFile', args: ['a', ['x', 7], 'w'] },
      { call: 'copyFile', args: ['b', 'a/b', 0] }
    ]
  },
  {
    why: 'making directories below a link that leads nowhere was refused by another name',
    operations: [
      { call: 'symlink', args: ['a', 'b'] },
      { call: 'mkdir', args: ['b/a', true] }
    ]
  }
]

/** And those that only the host has. */
export const failures: readonly Failure[] = [
  {
    why: 'a copy onto a file that is open could not be committed, for attributes without any in them',
    operations: [
      { call: 'open', args: ['b', 'ax'] },
      { call: 'writeFile', args: ['a', ['x', 7], 'w'] },
      { call: 'copyFile', args: ['a', 'b', 0] }
    ]
  },
  {
    why: 'a copy onto a file that is open kept the permission bits of that',
    operations: [
      { call: 'open', args: ['b', 'ax'] },
      { call: 'chmod', args: ['b', 0o700] },
      { call: 'writeFile', args: ['a', ['x', 7], 'w'] },
      { call: 'copyFile', args: ['a', 'b', 0] },
      { call: 'statMode', args: ['b'] }
    ]
  },
  {
    why: 'cp wrote to a file that is open, where it has to replace it',
    operations: [
      { call: 'writeFile', args: ['a', ['x', 7], 'w'] },
      { call: 'open', args: ['b', 'w+'] },
      { call: 'cp', args: ['a', 'b', { recursive: false, force: true, errorOnExist: false }] },
      { call: 'handleStat', args: [0] }
    ]
  },
  {
    why: 'cp left a directory behind when it refused to copy one into itself',
    operations: [
      { call: 'mkdir', args: ['a', false] },
      { call: 'cp', args: ['a', 'a/b/a', { recursive: true, force: true, errorOnExist: false }] },
      { call: 'readdir', args: ['a'] }
    ]
  },
  {
    why: 'cp looked whether a directory goes into itself before it looked what is there',
    operations: [
      { call: 'mkdir', args: ['a', false] },
      { call: 'open', args: ['a/a', 'w+'] },
      { call: 'cp', args: ['a', 'a/a', { recursive: false, force: false, errorOnExist: false }] }
    ]
  },
  {
    why: 'cp merged a directory into one that is there, where that is an error',
    operations: [
      { call: 'mkdir', args: ['a', false] },
      { call: 'mkdir', args: ['b', false] },
      { call: 'cp', args: ['a', 'b', { recursive: true, force: false, errorOnExist: true }] }
    ]
  },
  {
    why: 'a handle that was opened to read refused to write nothing',
    operations: [
      { call: 'open', args: ['a', 'wx'] },
      { call: 'open', args: ['a', 'r'] },
      { call: 'handleWrite', args: [1, ['x', 0], 0] },
      { call: 'handleAppendFile', args: [1, ['x', 0]] }
    ]
  }
]
