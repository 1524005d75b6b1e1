import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childFile } from '../child-file.ts'
import type { ChildProcess } from 'node:child_process'

// its own kind: TypeScript where this file is, JavaScript where it was built
const script = childFile(import.meta.url, 'publishing-process')

export interface PublishingChild {
  readonly process: ChildProcess
  /** The last root that it said to be published */
  said(): number
}

/** Starts a process that publishes root after root. */
export function startChild (directory: string, first: number): PublishingChild {
  let last = first
  let rest = ''
  const started = spawn(process.execPath, [script, directory, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    last = Number(lines.at(-1) ?? last)
  })

  return { process: started, said: () => last }
}

export async function killChild ({ process: killed }: PublishingChild): Promise<void> {
  killed.kill('SIGKILL')
  // 'close' comes when its output was read, too
  await once(killed, 'close')
}

export async function until (holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!await holds()) {
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
