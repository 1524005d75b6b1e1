import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execa } from 'execa'
import { repository } from '../architecture/sources.ts'

export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode?: number
}

/**
 * An empty app of a user, in a directory of its own.
 */
export class App {
  // the real path, since a bundler says where it found a file and the temporary directory may be a link
  readonly directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'dagfs-app-')))

  constructor () {
    // Node.js comes as a package whose binary is put into place by a script
    this.write('package.json', JSON.stringify({ name: 'app', private: true, type: 'module', allowScripts: { node: true } }))
  }

  async install (...packages: string[]): Promise<void> {
    await execa('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: this.directory })
  }

  /** Runs a program as the user would: the options that the test runner gives to Node.js do not reach it */
  async run (interpreter: string, ...args: string[]): Promise<Outcome> {
    return this.runIn('.', interpreter, ...args)
  }

  /** As `run`, in a directory of the app */
  async runIn (directory: string, interpreter: string, ...args: string[]): Promise<Outcome> {
    return execa(interpreter, args, { cwd: path.join(this.directory, directory), env: { NODE_OPTIONS: '' }, reject: false })
  }

  write (file: string, text: string): void {
    fs.writeFileSync(path.join(this.directory, file), text)
  }

  read (file: string): string {
    return fs.readFileSync(path.join(this.directory, file), 'utf8')
  }

  remove (): void {
    fs.rmSync(this.directory, { recursive: true, force: true })
  }
}

/**
 * Packs the checkout as it would be published, and says where the tarball is.
 */
export async function pack (destination: string): Promise<string> {
  const { stdout } = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], { cwd: repository })
  // a list of packages, or a map of them by name: the answer depends on npm's version
  const [{ filename }] = Object.values<{ filename: string }>(JSON.parse(stdout))

  return path.join(destination, filename)
}
