import { createRequire } from 'node:module'
import path from 'node:path'
import { execa } from 'execa'

/**
 * `npm run docs`: makes the site of the documentation, as typedoc.config.js says.
 */
// a dependency of aegir, which npm need not put at the top of node_modules
const ofAegir = createRequire(import.meta.resolve('aegir'))
const typedoc = path.dirname(ofAegir.resolve('typedoc/package.json'))

await execa('node', [path.join(typedoc, 'bin/typedoc'), ...process.argv.slice(2)], { stdio: 'inherit', preferLocal: true })
