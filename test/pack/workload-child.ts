import fs from 'node:fs'
import { KillingFiles } from './killing-files.ts'
import { workloads } from './workloads.ts'
import type { Moment } from './killing-files.ts'
import type { Promised } from './workloads.ts'

/** A process that works on a store until it kills itself. What it promises it says before it goes on. */
class SpokenPromises implements Promised {
  #acknowledged: number
  #attempted: number

  constructor (acknowledged: number, attempted: number) {
    this.#acknowledged = acknowledged
    this.#attempted = attempted
  }

  get acknowledged (): number {
    return this.#acknowledged
  }

  set acknowledged (root: number) {
    this.#acknowledged = root
    this.#say()
  }

  get attempted (): number {
    return this.#attempted
  }

  set attempted (root: number) {
    this.#attempted = root
    this.#say()
  }

  #say (): void {
    fs.writeSync(1, `${this.#acknowledged} ${this.#attempted}\n`)
  }
}

const [name, directory, at, moment, acknowledged, attempted] = process.argv.slice(2)

await workloads[name].run(new KillingFiles(Number(at), moment as Moment), directory, new SpokenPromises(Number(acknowledged), Number(attempted)))
