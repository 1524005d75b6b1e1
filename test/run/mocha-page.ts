// what runs in the page before the tests, with mocha's own script before it; in-page.ts reads what it logs

const testTimeoutMs = 60_000

/**
 * Runs the tests that were described, and sets `globalThis.pageRun` to what in-page.ts calls a PageRun.
 */
export function runTests (): void {
  const failed: string[] = []
  Object.assign(globalThis, { areTestsRunning: true })
  const runner = mocha.run(() => {
    Object.assign(globalThis, { pageRun: { passed: runner.stats?.passes ?? 0, failed } })
  })
  runner.on('fail', test => { failed.push(test.fullTitle()) })
}

/**
 * Mocha's spec reporter in plain lines: its own one formats them in a way that only a terminal understands.
 */
class PlainReporter extends Mocha.reporters.Base {
  readonly #described: string[] = []
  #depth = 0

  constructor (runner: Mocha.Runner) {
    super(runner)
    runner.on('suite', ({ title }) => {
      this.#log(title)
      this.#depth++
    })
    runner.on('suite end', () => { this.#depth-- })
    runner.on('pass', ({ title }) => { this.#log(`✔ ${title}`) })
    runner.on('pending', ({ title }) => { this.#log(`- ${title}`) })
    runner.on('fail', (test, err: Error) => {
      this.#described.push(`${test.fullTitle()}\n${err.message}\n${err.stack ?? ''}`)
      this.#log(`${this.#described.length}) ${test.title}`)
    })
    runner.on('end', () => { this.#close() })
  }

  #close (): void {
    const { passes, pending, failures, duration = 0 } = this.stats

    this.#depth = 1
    this.#log(`${passes} passing (${Math.round(duration / 1000)}s)`)
    this.#log(`${pending} pending`)
    this.#log(`${failures} failing`)
    this.#described.forEach((failure, index) => { this.#log(`${index + 1}) ${failure}`) })
  }

  #log (line: string): void {
    // eslint-disable-next-line no-console
    console.info(`${'  '.repeat(this.#depth)}${line}`)
  }
}

mocha.setup({ ui: 'bdd', timeout: testTimeoutMs, reporter: PlainReporter })
