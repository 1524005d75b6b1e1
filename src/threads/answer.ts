import { parentPort } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'

/** What a thread says first. */
export const ready = 'ready'

/** What is done with a request: the answer, and what of it is handed over and not copied. */
export interface Answered<Answer> {
  readonly answer: Answer
  readonly handOver: Transferable[]
}

/** Runs in a thread: answers requests in their order. */
export function answerRequests <Request, Answer> (work: (request: Request) => Answered<Answer>): void {
  parentPort?.on('message', (request: Request) => {
    const { answer, handOver } = work(request)
    parentPort?.postMessage(answer, handOver)
  })

  parentPort?.postMessage(ready)
}
