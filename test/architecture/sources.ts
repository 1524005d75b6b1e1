import fs from 'node:fs'
import path from 'node:path'

/** The built tests, too, look at the sources */
export const repository = path.resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '../../..')

export interface Manifest {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
  readonly exports: Readonly<Record<string, { readonly types: string, readonly default: string }>>
  readonly browser: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
  readonly files: readonly string[]
  readonly devDependencies: Readonly<Record<string, string>>
}

export function readText (file: string): string {
  return fs.readFileSync(path.join(repository, file), 'utf8')
}

export function readManifest (): Manifest {
  return JSON.parse(readText('package.json'))
}

/** The pages for users beside the README */
export const userPages: readonly string[] = fs.readdirSync(path.join(repository, 'docs')).filter(file => file.endsWith('.md')).map(file => `docs/${file}`)

/** The TypeScript below a directory of the repository, by its path in that directory */
export function readSources (directory = 'src'): Map<string, string> {
  return new Map(fs.readdirSync(path.join(repository, directory), { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll(path.sep, '/'))
    .filter(file => file.endsWith('.ts'))
    .sort()
    .map(file => [file, readText(`${directory}/${file}`)]))
}

/** The file of `src` that a file of `dist` was built from, by its path in `src` */
export function sourceOf (built: string): string {
  return built.replace(/^\.\/dist\/src\//, '').replace(/\.js$/, '.ts')
}
