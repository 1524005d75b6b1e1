import type { EditSample, OpenWorkload } from './workload.ts'

/**
 * Does a round, and verifies what it gave where every round has to be, outside of the clock.
 */
export async function verifiedRound (workload: OpenWorkload): Promise<EditSample> {
  const sample = await workload.round()

  if (workload.verifiesEvery) {
    await workload.verify()
  }

  return sample
}
