/**
 * A part of the tests that runs by itself.
 */
export interface Suite {
  readonly command: string
  readonly args: readonly string[]
  /** The browser without which nothing of the suite can run */
  readonly browser?: BrowserName
  /** A suite that it runs beside, where both are to run: it waits more than it works, and measures no time */
  readonly beside?: string
  /** Whether it runs only if it is asked for by name */
  readonly isExtra?: boolean
}

export type BrowserName = 'Chromium' | 'Firefox'

/** The tests of `npm run check`: those that also run in browsers, in Node.js alone, and those of the documents */
export const fastSuite: Suite = {
  command: 'mocha',
  args: ['--reporter', 'dot', '--timeout', '60000', 'dist/test/**/*.spec.js', 'test/{api,architecture,promise}/*.node.ts']
}

// aegir takes its default of building for an order to stop at the first failure, unless it is told not to build
export const suites: Readonly<Record<string, Suite>> = {
  node: { command: 'aegir', args: ['test', '-t', 'node', '--build=false'] },
  chrome: { command: 'aegir', args: ['test', '-t', 'browser', '--build=false'], browser: 'Chromium' },
  'chrome-webworker': { command: 'aegir', args: ['test', '-t', 'webworker', '--build=false'], browser: 'Chromium' },
  firefox: { command: 'node', args: ['test/run/in-firefox.ts'], browser: 'Firefox' },
  opfs: { command: 'node', args: ['test/run/opfs.ts'], browser: 'Chromium' },
  package: { command: 'aegir', args: ['test', '-t', 'node', '--build=false', '--timeout', '600000', '-f', 'test/package/index.ts'], beside: 'firefox' },
  'node-oldest': { command: 'node', args: ['test/run/on-node.ts', 'oldest'], isExtra: true },
  'node-newest': { command: 'node', args: ['test/run/on-node.ts', 'newest'], isExtra: true }
}
