import http from 'node:http'

export interface PageServer {
  readonly url: string
  close(): void
}

/**
 * Serves some scripts, by their paths, and a page that loads them in their order. A page from localhost is a secure
 * context, as a page over https is.
 */
export async function servePage (scripts: Readonly<Record<string, string>>): Promise<PageServer> {
  const tags = Object.keys(scripts).map(path => `<script type="module" src="${path}"></script>`)
  const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${tags.join('')}`
  const server = http.createServer((request, response) => {
    const script = scripts[request.url ?? '']
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript')
    response.end(script ?? page)
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
