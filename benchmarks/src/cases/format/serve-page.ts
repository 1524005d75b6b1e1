import { readFile, readlink } from 'node:fs/promises'
import http from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { walk } from '../../corpora/walk.ts'
import { frame } from './framing.ts'

export interface PageServer {
  readonly url: string
  close(): void
}

/**
 * Serves a module to a page, and a directory for it to import. A page from
 * localhost is a secure context, as a page over https is.
 */
export async function servePage (module: string, source: string): Promise<PageServer> {
  const server = http.createServer((request, response) => {
    if (request.url === '/entries') {
      // the page sees a response that is cut off, and says so
      pipeline(Readable.from(frames(source), { objectMode: false }), response).catch(err => response.destroy(err))
      return
    }

    const isModule = request.url === '/page.js'

    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? module : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>')
  })

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  const address = server.address()

  if (address === null || typeof address === 'string') {
    throw new Error('the server has no port')
  }

  return {
    url: `http://localhost:${address.port}/`,
    close () {
      server.closeAllConnections()
      server.close()
    }
  }
}

async function * frames (source: string): AsyncGenerator<Uint8Array> {
  for await (const { kind, path, hostPath } of walk(source)) {
    if (kind === 'directory') {
      yield frame({ kind, path })
    } else if (kind === 'link') {
      yield frame({ kind: 'symlink', path, target: await readlink(hostPath) })
    } else {
      const bytes = await readFile(hostPath)

      yield frame({ kind, path, size: bytes.byteLength })

      // a stream of bytes would end at an empty piece
      if (bytes.byteLength > 0) {
        yield bytes
      }
    }
  }
}
