import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { execa } from 'execa'
import { deadLinks } from './site-links.ts'

/**
 * `npm run docs`: makes the site of the documentation, as typedoc.config.js says. Fails on a warning, and where a link of the site
 * leads nowhere.
 */
const site = 'dist/site'
// a dependency of aegir, which npm need not put at the top of node_modules
const ofAegir = createRequire(import.meta.resolve('aegir'))
const typedoc = path.dirname(ofAegir.resolve('typedoc/package.json'))

const { exitCode } = await execa('node', [path.join(typedoc, 'bin/typedoc'), ...process.argv.slice(2)], { stdio: 'inherit', preferLocal: true, reject: false })

if (exitCode !== 0) {
  process.exit(exitCode ?? 1)
}

const files = fs.readdirSync(site, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => path.relative(site, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
const pages = new Map(files.filter(file => file.endsWith('.html')).map(file => [file, fs.readFileSync(path.join(site, file), 'utf8')]))
const dead = deadLinks(files, pages)

if (dead.length > 0) {
  process.stderr.write(`Links of the site that lead nowhere:\n${dead.join('\n')}\n`)
  process.exitCode = 1
}
