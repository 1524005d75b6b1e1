import { execa } from 'execa'

/**
 * The cores that this process may use; none where there is no `taskset`, as
 * everywhere but on Linux.
 */
export async function usableCores (): Promise<readonly number[]> {
  const { failed, stdout } = await execa('taskset', ['--cpu-list', '--pid', String(process.pid)], { reject: false })

  // pid 1's current affinity list: 0,2-5
  return failed ? [] : parseList(stdout.slice(stdout.lastIndexOf(':') + 1))
}

/**
 * Keeps this process, all its threads, on some cores.
 */
export async function keepOn (cores: readonly number[]): Promise<void> {
  await execa('taskset', ['--all-tasks', '--cpu-list', '--pid', cores.join(), String(process.pid)])
}

function parseList (list: string): number[] {
  return list.split(',').flatMap(part => {
    const [first, last = first] = part.split('-').map(Number)

    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
