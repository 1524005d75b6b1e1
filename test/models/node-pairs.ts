import { openDagfsSystem } from './dagfs-system.ts'
import { MapFs } from './map-fs.ts'
import { openNodeSystem } from './node-system.ts'
import type { Pair } from './agree.ts'

/** The plain map beside the host's own filesystem */
export async function mapAgainstNode (): Promise<Pair> {
  const model = await openNodeSystem()

  return {
    model,
    real: { fs: new MapFs(), handles: [] },
    check: async () => {},
    close: model.close
  }
}

/** dagfs beside the host's own filesystem */
export async function dagfsAgainstNode (draftBytes?: number): Promise<Pair> {
  const model = await openNodeSystem()
  const real = openDagfsSystem(draftBytes)

  return {
    model,
    real,
    check: real.checkHistory,
    async close () {
      await real.close()
      await model.close()
    }
  }
}
