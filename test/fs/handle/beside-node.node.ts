import { describeBesideNode } from '../../beside-node-release.ts'
import { besideNode } from '../beside-node.ts'
import type { FileHandle } from '../../../src/index.ts'

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text)

describeBesideNode('file handles, compared to Node.js', () => {
  for (const flags of ['r', 'rs', 'r+', 'rs+', 'w', 'wx', 'w+', 'wx+', 'a', 'ax', 'as', 'a+', 'ax+', 'as+']) {
    besideNode(`open with ${flags}: a file, a missing one, a directory, a link, a broken link`, async (fs, note) => {
      await fs.writeFile('/file', 'content')
      await fs.mkdir('/dir')
      await fs.symlink('file', '/link')
      await fs.symlink('nowhere', '/broken')
      await fs.symlink('loop', '/loop')

      for (const path of ['/file', '/missing', '/dir', '/dir/', '/link', '/broken', '/loop', '/file/', '/file/x', '/no/where', '/new/']) {
        const handle = await note(async () => fs.open(path, flags))
        await note(async () => handle?.write('X'))
        await note(async () => handle?.read(new Uint8Array(3), 0, 3, null))
        await note(async () => handle?.truncate(2))
        await note(async () => handle?.stat())
        await handle?.close()
      }

      await note(async () => fs.readFile('/file', 'utf8'))
      await note(async () => fs.readdir('/'))
    })
  }

  besideNode('numeric flags', async (fs, note) => {
    const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY, O_NOFOLLOW } = fs.constants
    await fs.writeFile('/file', 'content')
    await fs.mkdir('/dir')
    await fs.symlink('file', '/link')

    for (const flags of [O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_RDWR | O_CREAT | O_EXCL, O_RDWR | O_TRUNC, O_RDWR | O_APPEND, O_DIRECTORY, O_NOFOLLOW, O_WRONLY | O_DIRECTORY, O_NOFOLLOW | O_DIRECTORY]) {
      for (const path of ['/file', '/dir', '/link', `/new${flags}`]) {
        const handle = await note(async () => fs.open(path, flags))
        await note(async () => handle?.write('X'))
        await note(async () => handle?.readFile('utf8'))
        await handle?.close()
      }
    }
  })

  besideNode('bad arguments of open', async (fs, note) => {
    await fs.writeFile('/file', 'content')

    for (const flags of ['', 'rw', 'R', 1.5, 2 ** 32, Number.NaN, {}, true]) {
      await note(async () => fs.open('/file', flags as string))
    }

    for (const mode of [-1, 1.5, '8', 'abc', {}, 2 ** 32, true]) {
      await note(async () => fs.open('/file', 'r', mode as number))
    }
  })

  besideNode('the mode of a new file', async (fs, note) => {
    for (const [i, mode] of [undefined, 0o600, 0o777, 0o400, '640', 0o100644].entries()) {
      const handle = await note(async () => fs.open(`/new${i}`, 'w', mode))
      await note(async () => handle?.stat())
      await handle?.close()
    }
  })

  besideNode('read in all its forms', async (fs, note) => {
    await fs.writeFile('/file', '0123456789abcdef')
    const handle = await open('/file', 'r')

    async function open (path: string, flags: string): Promise<FileHandle> {
      return fs.open(path, flags)
    }

    for (const position of [undefined, null, -1, 0, 3, 15, 16, 17, 100, 2n, -1n, 0n]) {
      await note(async () => handle.read(new Uint8Array(5), 1, 3, position))
    }

    await note(async () => handle.read(new Uint8Array(4)))
    await note(async () => handle.read(new Uint8Array(4), { position: 2 }))
    await note(async () => handle.read(new Uint8Array(4), { offset: 1, length: 2, position: 4 }))
    await note(async () => handle.read(new Uint8Array(4), {}))
    await note(async () => handle.read({ buffer: new Uint8Array(4), position: 1 }))
    await note(async () => handle.read({ buffer: new Uint8Array(4), offset: 2, position: 1n }))
    await note(async () => (await handle.read({ position: 0 })).bytesRead)
    await note(async () => (await handle.read({ position: 0 })).buffer.byteLength)
    await note(async () => (await handle.read()).bytesRead)
    await note(async () => handle.read(new Uint16Array(3), 1, 4, 0))
    await note(async () => handle.read(new DataView(new ArrayBuffer(6), 2, 3), 0, 3, 0))
    await note(async () => handle.read(new Uint8Array(4), 0, 0, 0))
    await note(async () => handle.read(new Uint8Array(0)))
    await note(async () => handle.read(new Uint8Array(0), 0, 1))
    await note(async () => handle.read({ buffer: new Uint8Array(0) }))

    for (const offset of [-1, 1.5, 5, 4, '1', Number.NaN]) {
      await note(async () => handle.read(new Uint8Array(4), offset as number, 1, 0))
    }

    for (const length of [-1, 5]) {
      await note(async () => handle.read(new Uint8Array(4), 0, length, 0))
    }

    for (const position of [-2, 1.5, '1', -2n, 2n ** 63n, {}, true, Number.NaN, 2 ** 53]) {
      await note(async () => handle.read(new Uint8Array(4), 0, 4, position as number))
    }

    for (const buffer of ['text', 1, [1, 2], true]) {
      await note(async () => handle.read(buffer as unknown as Uint8Array))
      await note(async () => handle.read({ buffer: buffer as unknown as Uint8Array }))
    }

    await handle.close()
  })

  besideNode('write in all its forms', async (fs, note) => {
    await fs.writeFile('/file', '................')
    const handle = await fs.open('/file', 'r+')
    const seen = async (): Promise<unknown> => note(async () => fs.readFile('/file', 'latin1'))

    for (const position of [undefined, null, 0, 3, 20, -1, -5]) {
      await note(async () => handle.write(ascii('abc'), 0, 3, position))
      await seen()
      await note(async () => handle.write('xyz', position))
      await seen()
    }

    await note(async () => handle.write(ascii('0123456789'), 2))
    await note(async () => handle.write(ascii('0123456789'), 2, 3))
    await note(async () => handle.write(ascii('0123456789'), { offset: 4 }))
    await note(async () => handle.write(ascii('0123456789'), { offset: 4, length: 2, position: 0 }))
    await note(async () => handle.write(ascii('0123456789'), null, null, 1))
    await note(async () => handle.write(Uint16Array.of(0x4142, 0x4344), 1, 2, 0))
    await note(async () => handle.write(new DataView(ascii('0123').buffer as ArrayBuffer, 1, 2)))
    await seen()

    for (const encoding of ['utf8', 'latin1', 'utf16le', 'hex', 'base64', 'base64url', 'ascii', 'nonsense', null, undefined] as const) {
      await note(async () => handle.write('6bc3bc', 0, encoding as 'utf8'))
      await seen()
    }

    await note(async () => handle.write('ü€', 0, 'latin1'))
    await note(async () => handle.write('ü€😀', 5))
    await note(async () => handle.write('abc', 0, 'hex'))
    await note(async () => handle.write('', 2))
    await note(async () => handle.write(new Uint8Array(0), 2))
    await seen()

    for (const offset of [-1, 1.5, 5, '1', Number.NaN]) {
      await note(async () => handle.write(ascii('0123'), offset as number))
    }

    for (const length of [-1, 5]) {
      await note(async () => handle.write(ascii('0123'), 0, length))
    }

    for (const data of [1, {}, undefined, null, true, [1]]) {
      await note(async () => handle.write(data as string))
    }

    await seen()
    await handle.close()
  })

  besideNode('where reads and writes go on', async (fs, note) => {
    const handle = await fs.open('/file', 'w+')
    await note(async () => handle.write('hello'))
    await note(async () => handle.write(' world'))
    await note(async () => handle.read(new Uint8Array(5)))
    await note(async () => handle.read(new Uint8Array(5), 0, 5, 0))
    await note(async () => handle.write('!'))
    await note(async () => handle.write('HELLO', 0))
    await note(async () => handle.write('?'))
    await note(async () => handle.readFile('utf8'))
    await note(async () => handle.truncate(3))
    await note(async () => handle.write('x'))
    await note(async () => fs.readFile('/file', 'latin1'))
    await handle.close()
  })

  besideNode('appending', async (fs, note) => {
    await fs.writeFile('/file', 'start')
    const handle = await fs.open('/file', 'a+')
    await note(async () => handle.read(new Uint8Array(3)))
    await note(async () => handle.write('1'))
    await note(async () => handle.write('2', 0))
    await note(async () => handle.write(ascii('3'), 0, 1, 1))
    await note(async () => handle.writev([ascii('4'), ascii('5')], 0))
    await note(async () => handle.appendFile('6'))
    await note(async () => handle.writeFile('7'))
    await note(async () => handle.read(new Uint8Array(3)))
    await note(async () => handle.truncate(2))
    await note(async () => handle.write('8'))
    await note(async () => fs.readFile('/file', 'utf8'))
    await handle.close()
  })

  besideNode('readv and writev', async (fs, note) => {
    const handle = await fs.open('/file', 'w+')
    await note(async () => handle.writev([ascii('one'), ascii('two'), new Uint16Array([0x3131])]))
    await note(async () => handle.writev([ascii('X')], 1))
    await note(async () => handle.writev([]))
    await note(async () => handle.writev([ascii('end')], null))
    await note(async () => handle.readv([new Uint8Array(2), new Uint8Array(3)], 0))
    await note(async () => handle.readv([new Uint8Array(2), new Uint8Array(30)], 4))
    await note(async () => handle.readv([new Uint8Array(2)]))
    await note(async () => handle.readv([new Uint8Array(2)], 100))
    await note(async () => handle.readv('x' as unknown as Uint8Array[]))
    await note(async () => handle.readv(['x'] as unknown as Uint8Array[]))
    await note(async () => handle.writev(['x'] as unknown as Uint8Array[]))
    await handle.close()
  })

  besideNode('readFile, writeFile and appendFile of a handle', async (fs, note) => {
    await fs.writeFile('/file', '0123456789')
    const handle = await fs.open('/file', 'r+')
    await note(async () => handle.readFile())
    await note(async () => handle.readFile('utf8'))
    await handle.close()
    const second = await fs.open('/file', 'r+')
    await note(async () => second.read(new Uint8Array(4)))
    await note(async () => second.readFile('latin1'))
    await note(async () => second.readFile({ encoding: 'utf9' as 'utf8' }))
    await note(async () => second.readFile(5 as unknown as 'utf8'))
    await second.close()
    const third = await fs.open('/file', 'r+')
    await note(async () => third.writeFile('ab'))
    await note(async () => third.writeFile('cd', 'utf16le'))
    await note(async () => third.writeFile(ascii('ef')))
    await note(async () => third.appendFile('6768', { encoding: 'hex' }))
    await note(async () => third.writeFile([ascii('i'), 'j']))
    await note(async () => third.writeFile((async function * () { yield 'k'; yield ascii('l') })()))
    await note(async () => third.writeFile(5 as unknown as string))
    await note(async () => third.writeFile({} as string))
    await note(async () => third.writeFile('x', 'utf9' as 'utf8'))
    await note(async () => fs.readFile('/file', 'latin1'))
    await third.close()
  })

  besideNode('truncate', async (fs, note) => {
    await fs.writeFile('/file', '0123456789')
    const handle = await fs.open('/file', 'r+')

    for (const length of [5, 8, undefined, 3, -1, 2, 1.5, '3', null, Number.NaN, {}]) {
      await note(async () => handle.truncate(length as number))
      await note(async () => fs.readFile('/file', 'latin1'))
    }

    await handle.close()
    const reading = await fs.open('/file', 'r')
    await note(async () => reading.truncate(0))
    await reading.close()
  })

  besideNode('what a handle was not opened for', async (fs, note) => {
    await fs.writeFile('/file', '0123456789')
    const reading = await fs.open('/file', 'r')
    const writing = await fs.open('/file', 'a')
    await note(async () => reading.write('x'))
    await note(async () => reading.write(ascii('x')))
    await note(async () => reading.writev([ascii('x')]))
    await note(async () => reading.writeFile('x'))
    await note(async () => reading.appendFile('x'))
    await note(async () => writing.read(new Uint8Array(1)))
    await note(async () => writing.readv([new Uint8Array(1)]))
    await note(async () => writing.readFile())
    await reading.close()
    await writing.close()
  })

  besideNode('a closed handle', async (fs, note) => {
    const handle = await fs.open('/file', 'w+')
    await handle.close()
    await note(() => handle.fd)
    await note(async () => handle.close())
    const steps: Array<() => Promise<unknown>> = [
      async () => handle.read(new Uint8Array(1)),
      async () => handle.readv([new Uint8Array(1)]),
      async () => handle.readFile(),
      async () => handle.write('x'),
      async () => handle.writev([ascii('x')]),
      async () => handle.writeFile('x'),
      async () => handle.appendFile('x'),
      async () => handle.truncate(1),
      async () => handle.stat(),
      async () => handle.chmod(0o600),
      async () => handle.utimes(1, 1),
      async () => handle.sync(),
      async () => handle.datasync()
    ]

    for (const step of steps) {
      await note(async () => {
        try {
          return await step()
        } catch (err) {
          const { code, syscall } = err as NodeJS.ErrnoException

          return [code, syscall]
        }
      })
    }

    await note(async () => { handle.readableWebStream() })
  })

  besideNode('a handle whose file is renamed, removed or replaced', async (fs, note) => {
    await fs.writeFile('/file', 'one')
    const handle = await fs.open('/file', 'r+')
    await fs.rename('/file', '/other')
    await note(async () => handle.write('ONE', 0))
    await note(async () => fs.readFile('/other', 'utf8'))
    await fs.writeFile('/file', 'another')
    await note(async () => handle.readFile('utf8'))
    await fs.unlink('/other')
    await note(async () => handle.write('still there', 0))
    await note(async () => handle.read(new Uint8Array(5), 0, 5, 6))
    await note(async () => fs.readFile('/other'))
    await note(async () => fs.readFile('/file', 'utf8'))
    await fs.rename('/file', '/third')
    await handle.close()
    await note(async () => fs.readdir('/'))
  })

  besideNode('chmod and utimes of a handle', async (fs, note) => {
    const handle = await fs.open('/file', 'w+')
    await note(async () => handle.chmod(0o600))
    await note(async () => handle.stat())
    await note(async () => handle.chmod('444'))
    await note(async () => handle.stat())

    for (const mode of [-1, '9', 1.5, {}, undefined]) {
      await note(async () => handle.chmod(mode as number))
    }

    for (const time of [1_600_000_000, '1600000001', new Date(1_600_000_002_000), 0]) {
      await note(async () => handle.utimes(time, time))
      await note(async () => (await handle.stat()).mtime.getTime())
    }

    for (const time of [Number.NaN, 'x', {}, undefined, null, Number.POSITIVE_INFINITY]) {
      await note(async () => handle.utimes(time as number, 0))
      await note(async () => handle.utimes(0, time as number))
    }

    await handle.close()
  })

  besideNode('two handles of one file', async (fs, note) => {
    const first = await fs.open('/file', 'w+')
    const second = await fs.open('/file', 'r+')
    await note(async () => first.write('from the first'))
    await note(async () => second.readFile('utf8'))
    await note(async () => second.truncate(4))
    await note(async () => first.stat())
    await note(async () => first.write('!'))
    await note(async () => second.read(new Uint8Array(20), 0, 20, 0))
    await first.close()
    await note(async () => second.write('x', 0))
    await second.close()
    await note(async () => fs.readFile('/file', 'latin1'))
  })

  besideNode('lines', async (fs, note) => {
    for (const text of ['', 'one', 'one\n', 'one\ntwo', '\n', '\r\n\r\n', 'a\rb\r\nc\n\rd', 'ü\u2028€\n\n\n😀\r', '\ufeffmark\n']) {
      await fs.writeFile('/file', text)
      const handle = await fs.open('/file')
      await note(async () => {
        const lines: string[] = []

        for await (const line of handle.readLines()) {
          lines.push(line)
        }

        return lines
      })
      await note(() => handle.fd)
    }
  })

  besideNode('a web stream', async (fs, note) => {
    await fs.writeFile('/file', '0123456789')
    const handle = await fs.open('/file')
    await handle.read(new Uint8Array(2))
    await note(async () => new Response(handle.readableWebStream()).text())
    await note(async () => { handle.readableWebStream() })
    await note(() => handle.fd > 0)
    await handle.close()
    const second = await fs.open('/file')
    await note(async () => new Response(second.readableWebStream({ autoClose: true })).text())
    await note(() => second.fd)
  })
})
