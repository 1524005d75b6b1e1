import { open, readlink } from 'node:fs/promises'
import { walk } from '../corpora/walk.ts'
import type { StoredEntry } from '../contenders/index.ts'
import type { WalkedEntry } from '../corpora/walk.ts'

/**
 * Holds what was stored against the host directory it was made from: every
 * name, every kind, every link's target, every byte, nothing missing and
 * nothing more. Throws at the first difference.
 */
export async function verify (directory: string, stored: AsyncIterable<StoredEntry>): Promise<void> {
  const expected = new Map<string, WalkedEntry>()

  for await (const entry of walk(directory)) {
    expected.set(entry.path, entry)
  }

  for await (const entry of stored) {
    const source = expected.get(entry.path)

    if (source == null) {
      throw new Error(`stored, but not in the source or stored twice: ${entry.path}`)
    }

    if (source.kind !== entry.kind) {
      throw new Error(`${entry.path} is a ${source.kind} in the source, and was stored as a ${entry.kind}`)
    }

    if (entry.kind === 'file') {
      await compareBytes(source, entry.content())
    } else if (entry.kind === 'link') {
      await compareTarget(source, entry.target)
    }

    expected.delete(entry.path)
  }

  if (expected.size > 0) {
    const [first] = expected.keys()

    throw new Error(`in the source, but not stored: ${expected.size} entries, the first ${first}`)
  }
}

async function compareTarget ({ path, hostPath }: WalkedEntry, target: string): Promise<void> {
  const expected = await readlink(hostPath)

  if (target !== expected) {
    throw new Error(`${path} links to ${expected} in the source, and to ${target} where it is stored`)
  }
}

async function compareBytes ({ path, hostPath }: WalkedEntry, stored: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(hostPath)

  try {
    const { size } = await handle.stat()
    let offset = 0

    for await (const bytes of stored) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes.byteLength), 0, bytes.byteLength, offset)

      if (bytesRead < bytes.byteLength || !buffer.equals(bytes)) {
        throw new Error(`the bytes of ${path} differ from the source, within ${bytes.byteLength} from ${offset} on`)
      }

      offset += bytes.byteLength
    }

    if (offset !== size) {
      throw new Error(`${path} has ${size} bytes in the source, and ${offset} where it is stored`)
    }
  } finally {
    await handle.close()
  }
}
