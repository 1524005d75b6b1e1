import { packageRoot } from './package-root.ts'

/**
 * Loads a module of dagfs that the package does not export, by its place in the
 * build: the same that the package itself runs.
 */
export async function loadInternal <T> (path: string): Promise<T> {
  return import(new URL(`../dist/${path}`, packageRoot).href)
}
