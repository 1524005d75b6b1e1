import { createHash } from 'node:crypto'
import { expect } from 'aegir/chai'
import { sha256 } from '../src/hash.ts'

describe('sha256 in Node', () => {
  it('hashes shared memory, which WebCrypto refuses', async () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(1_048_576)).fill(3)

    expect(Buffer.from(await sha256(bytes)).toString('hex')).to.equal(createHash('sha256').update(bytes).digest('hex'))
  })
})
