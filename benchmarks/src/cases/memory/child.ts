import { tasks } from './tasks.ts'

// one measurement in a process of its own: nobody else's memory is in its peak

const [name, init] = process.argv.slice(2)
const task: ((init: any) => Promise<unknown>) | undefined = Object.entries(tasks).find(([key]) => key === name)?.[1]

if (task == null) {
  throw new Error(`there is no task ${name}`)
}

process.stdout.write(JSON.stringify(await task(JSON.parse(init))))
