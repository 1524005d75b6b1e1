// a message is delivered as a task of its own and, unlike a timer, is not held back for 4 ms
const { port1, port2 } = new MessageChannel()
const waiting: Array<() => void> = []

port1.onmessage = () => {
  waiting.shift()?.()
}

export async function turn (): Promise<void> {
  await new Promise<void>(resolve => {
    waiting.push(resolve)
    port2.postMessage(undefined)
  })
}
