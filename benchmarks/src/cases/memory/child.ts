import { tasks } from './tasks.ts'

// one measurement in a process of its own: nobody else's memory is in its peak

const [name, ...args] = process.argv.slice(2)

async function run (): Promise<unknown> {
  switch (name) {
    case 'tree':
      return tasks.tree(args[0])
    case 'file':
      return tasks.file(args[0], args[1])
    case 'pack':
      return tasks.pack(args[0], args[1])
    case 'stream':
      return tasks.stream(Number(args[0]))
    case 'abort':
      return tasks.abort(args[0], args[1], Number(args[2]), Number(args[3]))
    case 'watch':
      return tasks.watch()
    default:
      throw new Error(`there is no task ${name}`)
  }
}

process.stdout.write(JSON.stringify(await run()))
