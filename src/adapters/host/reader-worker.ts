import { parentPort, workerData } from 'node:worker_threads'
import { ReadBatch } from './read-batch.ts'
import type { ReadRequest } from './reader-pool.ts'

// a thread that reads and hashes the files that it is told of, batch after batch, and answers in the same order

const inlineBytes = Number(workerData)

parentPort?.on('message', ({ paths, memory }: ReadRequest) => {
  const batch = new ReadBatch(memory)

  for (const path of paths.split('\0')) {
    batch.add(path, inlineBytes)
  }

  parentPort?.postMessage(memory, [memory])
})

parentPort?.postMessage('ready')
