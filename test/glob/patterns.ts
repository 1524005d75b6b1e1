import { below } from '../seed.ts'

const pieces = ['a', 'b', 'a', 'b', '*', '?', '.', '[ab]', '[!a]', '[[:alpha:]]', '[[:upper:]b]', '[^.]', '+(', '*(', '?(', '@(', '!(', '!(', ')', ')', ')', '|', '|', '{a,b}', '{', '}', ',', '[', '[.]', ']', '-', '/', '/', '**/', '/**', '..', './', '{1..3}', '$', 'é', '[a-', '()']

/** A short pattern of pieces that mean something to each other. */
export function randomPattern (next: () => number, longest: number): string {
  return Array.from({ length: 1 + below(next, longest) }, () => pieces[below(next, pieces.length)]).join('')
}

/** Paths that such patterns may match */
export const paths = ['a', 'b', 'ab', 'ba', 'aa', '.a', '.', '..', '.b', 'a.b', 'abab', 'aab', 'b.', 'é', 'c', 'aba', '.ab', 'a/b', 'a/.b', 'a/b/a', '/a', '/a/b', 'b/b/a', '1', '-', 'a/b/', '.a/b', '', 'a-b', '[', ']', '{a', '{a,b}', '$', 'a)', 'a(b', 'A', '!(a)', '@()', '|', 'aaaa', '..a', '...', 'a..', 'a/..']
