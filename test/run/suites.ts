/**
 * A part of the tests that runs by itself.
 */
export interface Suite {
  readonly args: readonly string[]
  /** Without a browser nothing of the suite, or only some of it, can run */
  readonly browser: 'none' | 'some' | 'all'
}

// aegir takes its default of building for an order to stop at the first failure, unless it is told not to build
export const suites: Readonly<Record<string, Suite>> = {
  node: { args: ['test', '-t', 'node', '--build=false'], browser: 'none' },
  chrome: { args: ['test', '-t', 'browser', '--build=false'], browser: 'all' },
  'chrome-webworker': { args: ['test', '-t', 'webworker', '--build=false'], browser: 'all' },
  package: { args: ['test', '-t', 'node', '--build=false', '--timeout', '600000', '-f', 'test/package/index.ts'], browser: 'some' }
}
