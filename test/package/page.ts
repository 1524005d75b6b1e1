import http from 'node:http'
import { chromium } from 'playwright-core'

// a sandbox of Chromium's own cannot be made by root, nor in most containers
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/**
 * Serves a module to a page of a real browser, and gives back what it logs to the console until it sets
 * `globalThis.finished`. A page from localhost is a secure context, as a page over https is.
 *
 * @throws {Error} what the page throws
 */
export async function runInPage (executable: string, module: string): Promise<string[]> {
  const server = http.createServer((request, response) => {
    const isModule = request.url === '/app.js'
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? module : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  try {
    const address = server.address()

    if (address === null || typeof address === 'string') {
      throw new Error('the server has no port')
    }

    return await visit(executable, `http://localhost:${address.port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function visit (executable: string, url: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: executable, args })

  try {
    const page = await browser.newPage()
    const logged: string[] = []
    page.on('console', message => logged.push(message.text()))
    const thrown = new Promise<never>((resolve, reject) => {
      page.on('pageerror', reject)
    })
    const finished = page.goto(url).then(async () => {
      await page.waitForFunction('globalThis.finished === true')

      return logged
    })

    return await Promise.race([finished, thrown])
  } finally {
    await browser.close()
  }
}
