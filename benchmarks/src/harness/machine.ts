import { statfs } from 'node:fs/promises'
import os from 'node:os'

export interface Machine {
  readonly platform: string
  readonly release: string
  readonly arch: string
  readonly cpu: string
  readonly cores: number
  readonly memoryBytes: number
  readonly node: string
  /**
   * What the stores are on, as the type that statfs gives: 0xef53 is ext,
   * 0x1021994 tmpfs, 0x794c7630 overlay
   */
  readonly storeFilesystem: string
}

/**
 * Says in words what figures were measured on.
 */
export function sayMachine ({ cores, cpu, memoryBytes, platform, node }: Machine): string {
  return `On ${cores} cores of ${cpu.trim()}, ${Math.round(memoryBytes / 2 ** 30)} GiB, ${platform}, Node.js ${node}.`
}

export async function describeMachine (storeDirectory: string): Promise<Machine> {
  const cpus = os.cpus()
  const { type } = await statfs(storeDirectory)

  return {
    platform: os.platform(),
    release: os.release(),
    arch: os.arch(),
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryBytes: os.totalmem(),
    node: process.version,
    storeFilesystem: `0x${type.toString(16)}`
  }
}
