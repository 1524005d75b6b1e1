import { answerRequests } from '../../threads/index.ts'
import { ReadBatch } from './read-batch.ts'
import type { ReadRequest } from './reader-pool.ts'

// a thread that reads and hashes the files that it is told of, batch after batch

answerRequests(({ paths, inlineBytes, memory }: ReadRequest) => {
  const batch = new ReadBatch(memory)

  for (const path of paths.split('\0')) {
    batch.add(path, inlineBytes)
  }

  return { answer: memory, handOver: [memory] }
})
