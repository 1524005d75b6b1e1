import { peakBytes } from '../../harness/peak.ts'
import { serveParent } from '../../harness/serve-parent.ts'
import { editorOf } from './editors/index.ts'
import { workloadOf } from './workloads/index.ts'
import { verifiedRound } from './workloads/verified-round.ts'
import type { EditWorkerFunctions } from './protocol.ts'
import type { OpenWorkload } from './workloads/index.ts'

// the process of one contender and workload; all that it stores is in its memory

let opened: OpenWorkload | undefined

function workload (): OpenWorkload {
  if (opened == null) {
    throw new Error('no workload is open')
  }

  return opened
}

const functions: EditWorkerFunctions = {
  async open ({ contender, workload: key, sizes }) {
    const editor = await editorOf(contender).open()

    opened = await workloadOf(key).open(editor, sizes)

    return { version: editor.version, options: editor.options }
  },
  async check () {
    const { cid } = await workload().round()

    await workload().verify()

    return { cid }
  },
  round: async () => verifiedRound(workload()),
  peakMemory: peakBytes
}

serveParent(functions, async () => { opened = undefined })
