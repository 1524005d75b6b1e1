import ora from 'ora'
import type { Progress } from '../tools/progress.ts'

/**
 * On a pipe every line would stay, so they are thinned out there
 */
const PIPED_INTERVAL_MS = 10_000

/**
 * Shows what is being done on stderr, as one line that changes on a terminal
 * and as a few lines elsewhere, and clears it away in the end.
 */
export async function withProgress <T> (run: (progress: Progress) => Promise<T>): Promise<T> {
  // some terminals have no width, in which a line that changes has no end
  if (!process.stderr.isTTY || process.stderr.columns === 0) {
    return run(pipedProgress())
  }

  const spinner = ora({ discardStdin: false }).start()

  try {
    return await run(line => { spinner.text = line })
  } finally {
    spinner.stop()
  }
}

function pipedProgress (): Progress {
  let last = -Infinity

  return line => {
    const now = performance.now()

    if (now - last >= PIPED_INTERVAL_MS) {
      last = now
      process.stderr.write(`${line}\n`)
    }
  }
}
