import { expect } from 'aegir/chai'
import { execa } from 'execa'
import { childFile } from '../../child-file.ts'
import type { Part } from '../part.ts'

const child = childFile(import.meta.url, '../hygiene-child')
const maxMs = 100
const maxRunMs = 60_000

async function run (...args: string[]): Promise<string> {
  const { stdout } = await execa(process.execPath, [child, ...args], { timeout: maxRunMs, stdin: 'ignore' })

  return stdout
}

export const hygiene: Part = {
  claim: 'no handle and no timer is open after closing, and the process ends within 100 ms',
  unit: 'processes',
  full: 500,
  daily: 7,

  async open () {
    const scenarios = (await run()).split(' ')

    return {
      async run ({ number }) {
        const [open, ms] = (await run(scenarios[number % scenarios.length])).split(' ')
        expect(open, 'what is open still').to.equal('')
        expect(Number(ms)).to.be.below(maxMs)

        return { worst: { 'until the process ends, ms': Number(ms) } }
      },
      close: async () => {}
    }
  }
}
