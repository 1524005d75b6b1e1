import { expect } from 'aegir/chai'
import { FaultyFiles } from './faulty-files.ts'
import { inTemporary } from './in-temporary.ts'
import { workloads } from './workloads.ts'
import type { Fault } from './faulty-files.ts'
import type { Promised } from './workloads.ts'

export { workloads }
export const workloadNames = Object.keys(workloads)

/** What each workload finds, under its name, as files of the directory `/`; SQLite's index is not among them. */
export async function prepareInMemory (): Promise<Record<string, FaultyFiles>> {
  const prepared: Record<string, FaultyFiles> = {}

  for (const name of workloadNames) {
    await inTemporary(async directory => {
      const files = new FaultyFiles()
      await workloads[name].prepare?.(files, directory)
      prepared[name] = files.movedTo(directory, '/')
    })
  }

  return prepared
}

/** How many operations each workload has when nothing goes wrong */
export async function countOperations (prepared: Readonly<Record<string, FaultyFiles>>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}

  for (const name of workloadNames) {
    await inTemporary(async directory => {
      const files = prepared[name].movedTo('/', directory)
      await workloads[name].run(files, directory, { acknowledged: 0, attempted: 0 })
      counts[name] = files.operations
    })
  }

  return counts
}

/** Runs a workload until an operation fails, and answers what was promised until then. */
export async function runUntilFault (name: string, files: FaultyFiles, directory: string, fault: Fault): Promise<Promised> {
  const promised = { acknowledged: 0, attempted: 0 }
  files.fault = fault

  try {
    await workloads[name].run(files, directory, promised)
  } catch (err) {
    expectTyped(err)
  }

  files.fault = undefined

  return promised
}

/** A failure is told by its name and code; one of the workload's own claims is none. */
function expectTyped (err: unknown): void {
  if (err instanceof Error && err.name === 'AssertionError') {
    throw err
  }

  expect(err).to.be.an('error').with.property('code').that.is.a('string')
}
