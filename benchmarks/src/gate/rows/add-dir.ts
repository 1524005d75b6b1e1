import { contenderOf } from '../../contenders/index.ts'
import type { GateRow } from './row.ts'

/**
 * A corpus, taken into an empty store
 */
export function addDirRow (corpus: string, contender: string): GateRow {
  return {
    key: `add-dir / ${corpus} / ${contender}`,
    isThreaded: true,
    async open ({ directory, corpora }) {
      const opened = await contenderOf(contender).open({ directory, tools: {} })

      return {
        prepare: async () => opened.empty(),
        async run () {
          const { cid } = await opened.add(corpora[corpus])

          if (cid == null) {
            throw new Error(`${contender} makes no CID`)
          }

          return cid
        },
        close: async () => opened.close()
      }
    }
  }
}
