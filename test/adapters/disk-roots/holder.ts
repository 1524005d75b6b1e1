import { DatabaseSync } from 'node:sqlite'
import { diskRoots } from '../../../src/adapters/disk-roots/index.ts'

// a process to be killed: it holds the lock for ever, or counts under a name and tells of every count

const [, , file, mode] = process.argv

// a test that failed has nobody left to kill it
process.on('disconnect', () => process.exit())

function tell (message: unknown): void {
  process.send?.(message)
}

async function count (): Promise<never> {
  const roots = diskRoots(file)

  for (;;) {
    const before = await roots.get('count')
    const counted = before === undefined ? 0 : new DataView(before.buffer, before.byteOffset).getUint32(0)
    const next = new Uint8Array(4)
    new DataView(next.buffer).setUint32(0, counted + 1)
    await roots.compareAndSet('count', before, next)
    tell(counted + 1)
  }
}

if (mode === 'hold') {
  const database = new DatabaseSync(file)
  database.exec('BEGIN IMMEDIATE')
  database.exec("UPDATE roots SET record = x'ff'")
  tell('held')
  // the lock ends with a connection that nobody refers to any more
  setInterval(() => database.isOpen, 1_000)
} else {
  await count()
}
