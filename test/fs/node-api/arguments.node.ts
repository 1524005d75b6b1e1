import { Buffer } from 'node:buffer'
import * as node from 'node:fs/promises'
import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { readOptions, toPath } from '../../../src/fs/node-api/arguments.ts'
import { constants } from '../../../src/fs/node-api/constants.ts'
import { decodeText, encodeText } from '../../../src/fs/node-api/encoding.ts'
import { readFlags } from '../../../src/fs/node-api/flags.ts'
import { describeBesideNode } from '../../beside-node-release.ts'
import { besideNode } from '../beside-node.ts'
import '../../seed.ts'
import type { PathLike } from '../../../src/fs/node-api/arguments.ts'
import type { Encoding } from '../../../src/fs/node-api/encoding.ts'

async function refusal (attempt: () => unknown): Promise<unknown> {
  try {
    await attempt()
  } catch (err) {
    const { name, code, message } = err as Error & { code?: string }

    return { name, code, message }
  }
}

describeBesideNode('arguments, compared to Node.js', () => {
  const paths: unknown[] = [
    undefined, null, 1, -0, true, {}, [], Symbol('s'), () => {}, new URL('http://host/a'), new URL('file:///a%2Fb'), new URL('file:///a%2fb'), new Date(0)
  ]

  for (const path of paths) {
    it(`refuses ${describePath(path)} as a path`, async () => {
      const expected = await refusal(async () => node.stat(path as string))

      expect(await refusal(() => toPath(path as PathLike, 'stat'))).to.deep.equal(expected)
    })
  }

  it('refuses NUL bytes in any form of a path', async () => {
    for (const path of ['a\0b', Uint8Array.of(97, 0)]) {
      const { name, code } = await refusal(async () => node.stat(path as string)) as { name: string, code: string }

      expect(await refusal(() => toPath(path, 'stat'))).to.include({ name, code })
    }
  })

  it('refuses a URL with a host', async () => {
    const url = new URL('file://host/a')
    const { name, code } = await refusal(async () => node.stat(url)) as { name: string, code: string }

    expect(await refusal(() => toPath(url, 'stat'))).to.include({ name, code })
  })

  it('refuses a URL whose path is not UTF-8', async () => {
    const url = new URL('file:///%ff')
    const expected = await refusal(async () => node.stat(url))

    expect(await refusal(() => toPath(url, 'stat'))).to.deep.equal(expected)
  })

  const options: unknown[] = [1, true, 'utf9', { encoding: 'utf9' }, { encoding: 1 }, { signal: 1 }, { signal: null }, { signal: {} }]

  for (const given of options) {
    it(`refuses ${JSON.stringify(given)} as options`, async () => {
      const expected = await refusal(async () => node.readFile('/dev/null', given as 'utf8'))

      expect(await refusal(() => readOptions(given))).to.deep.equal(expected)
    })
  }

  const flags: unknown[] = ['', 'R', 'rw', 'r++', 'xw++', 'ww', 2 ** 31, 1.5, true, {}, Number.NaN]

  for (const given of flags) {
    it(`refuses ${JSON.stringify(given)} as flags`, async () => {
      const { name, code } = await refusal(async () => node.open('/dev/null', given as string)) as { name: string, code: string }

      expect(await refusal(() => readFlags(given))).to.include({ name, code })
    })
  }

  it('has the constants of Node, with the values of Linux', () => {
    expect(constants).to.include.keys(Object.keys(node.constants))

    if (process.platform === 'linux') {
      expect(constants).to.deep.include(node.constants)
    }
  })
})

describeBesideNode('handles, compared to Node.js', () => {
  besideNode('say of streams of a closed one, and of empty buffers, what Node says', async (fs, note) => {
    await fs.writeFile('/file', 'abc')
    const handle = await fs.open('/file', 'r+')
    await note(async () => handle.read(new Uint8Array(0), 0, 1), 'an empty buffer')
    await note(async () => handle.read(new Uint16Array(0), 1), 'an empty view')
    await note(async () => handle.writeFile([1] as never), 'a number among pieces')
    await handle.close()
    const request = async (stream: () => unknown): Promise<void> => {
      stream()
    }
    await note(async () => request(() => handle.createReadStream()), 'createReadStream')
    await note(async () => request(() => handle.createWriteStream()), 'createWriteStream')
    await note(async () => request(() => handle.readLines()), 'readLines')
  })

  besideNode('say of pieces that are no bytes what Node says', async (fs, note) => {
    for (const piece of [1, true, null, undefined, {}, Symbol('piece')]) {
      await note(async () => fs.writeFile('/file', [piece] as never), String(piece))
    }
  })
})

describe('text, compared to Buffer', function () {
  this.timeout(60_000)
  const encodings: Encoding[] = ['utf8', 'utf-8', 'ucs2', 'ucs-2', 'utf16le', 'utf-16le', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url']

  for (const encoding of encodings) {
    it(`decodes any bytes as ${encoding}`, () => {
      fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), bytes => {
        expect(decodeText(bytes, encoding)).to.equal(Buffer.from(bytes).toString(encoding))
      }))
    })

    it(`encodes any text as ${encoding}`, () => {
      fc.assert(fc.property(textFor(encoding), text => {
        expect([...encodeText(text, encoding)]).to.deep.equal([...Buffer.from(text, encoding)])
      }))
    })
  }

  it('decodes text that resembles base64 or hexadecimal digits', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'AZaz09+/-_= \n.fg'), maxLength: 40 }), fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const), (text, encoding) => {
      expect([...encodeText(text, encoding)]).to.deep.equal([...Buffer.from(text, encoding)])
    }))
  })
})

/** Node takes characters beyond U+00FF for digits of hexadecimal and base64 by their last byte; ours does not. */
function textFor (encoding: Encoding): fc.Arbitrary<string> {
  return encoding.startsWith('base64') || encoding === 'hex'
    ? fc.uint8Array({ maxLength: 100 }).map(bytes => String.fromCharCode(...bytes))
    : fc.string({ unit: 'binary', maxLength: 100 })
}

function describePath (path: unknown): string {
  return path instanceof URL ? String(path) : `${typeof path} ${String(path)}`
}
