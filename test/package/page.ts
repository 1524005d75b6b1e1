import { chromium } from 'playwright-core'
import { chromiumArgs } from '../run/chromium.ts'
import { servePage } from '../run/serve-page.ts'

/**
 * Serves a module to a page of a real browser, and gives back what it logs to the console until it sets
 * `globalThis.finished`.
 *
 * @throws {Error} what the page throws
 */
export async function runInPage (executable: string, module: string): Promise<string[]> {
  const server = await servePage({ '/app.js': module })

  try {
    return await visit(executable, server.url)
  } finally {
    server.close()
  }
}

async function visit (executable: string, url: string): Promise<string[]> {
  const browser = await chromium.launch({ executablePath: executable, args: chromiumArgs })

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
