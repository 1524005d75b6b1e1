export { answerRequests } from './answer.ts'
export { HelperThreads, workerFile } from './helper-threads.ts'
