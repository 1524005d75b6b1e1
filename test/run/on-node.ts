import path from 'node:path'
import { execa } from 'execa'
import { readManifest } from '../architecture/sources.ts'
import { App } from '../package/app.ts'

/**
 * Runs the built tests of Node.js on another version of it: `oldest`, which package.json names, or `newest`. Prints what mocha does.
 */
const versions: Readonly<Record<string, string>> = { oldest: readManifest().engines.node.replace('>=', ''), newest: 'latest' }
const version = versions[process.argv[2]]

if (version === undefined) {
  throw new Error(`Say ${Object.keys(versions).join(' or ')}, not ${process.argv[2]}`)
}

const holder = new App()

try {
  await holder.install(`node@${version}`)
  // tests start programs of their own, by the name of the command too
  const env = { PATH: `${path.join(holder.directory, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}` }
  const mocha = ['node_modules/mocha/bin/mocha.js', '--timeout', '60000', 'dist/test/**/*.{spec,node}.js']
  await execa('node', ['--version'], { env, stdio: 'inherit' })
  const { exitCode } = await execa('node', mocha, { env, reject: false, stdio: 'inherit' })
  process.exitCode = exitCode
} finally {
  holder.remove()
}
