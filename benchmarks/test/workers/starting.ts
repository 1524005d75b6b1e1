import { spawn } from 'node:child_process'
import { serveParent } from '../../src/harness/serve-parent.ts'

// a process that starts another one, and may refuse to end

export interface StartingFunctions {
  /**
   * Starts a process that ends by force alone, and answers its id and the own one
   */
  start(): Promise<{ readonly started: number, readonly own: number }>
  /**
   * From now on nothing but force ends this process either
   */
  stay(): Promise<void>
}

const SCRIPT = 'process.on("SIGTERM", () => {}); process.stdout.write("ready"); setInterval(() => {}, 1000)'

const functions: StartingFunctions = {
  async start () {
    const { pid, stdout } = spawn(process.execPath, ['-e', SCRIPT], { stdio: ['ignore', 'pipe', 'inherit'] })

    await new Promise(resolve => stdout.once('data', resolve))

    return { started: pid ?? NaN, own: process.pid }
  },
  async stay () {
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
  }
}

serveParent(functions, async () => { process.exitCode = 0 })
