import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { it } from 'node:test'
import { keepOn, usableCores } from '../../src/gate/cores.ts'

it('pins this process to one core if the system supports it', async () => {
  const cores = await usableCores()

  // a container may have more of them than it may use at once
  assert.ok(process.platform === 'linux' ? cores.length >= availableParallelism() : cores.length === 0, `${cores}`)

  for (const core of cores.slice(-1)) {
    await keepOn([core])

    assert.deepEqual(await usableCores(), [core])
  }
})
