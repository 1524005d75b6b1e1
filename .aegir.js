const chromium = process.env.CHROMIUM_PATH

/** @type {import('aegir').PartialOptions} */
export default {
  build: {
    // the size that users pay is held by size-limit, see .size-limit.js
    bundlesize: false
  },
  lint: {
    files: [
      '*.{js,ts}',
      '.*.js',
      '.ci/**/*.{js,ts}',
      'src/**/*.{js,ts}',
      'test/**/*.{js,ts}',
      'benchmarks/**/*.{js,ts}',
      '!**/node_modules/**',
      '!**/dist/**'
    ]
  },
  documentCheck: {
    inputFiles: ['*.md', 'src/**/*.md', 'benchmarks/*.md', 'benchmarks/src/**/*.md', 'docs/**/*.md']
  },
  dependencyCheck: {
    ignore: [
      // the interpreter of every npm script, whatever Node.js the machine has
      'node',
      // taken for the module of Node.js, which browsers have not
      'buffer',
      // run by npm scripts and never imported
      'publint',
      '@arethetypeswrong/cli',
      'size-limit',
      '@size-limit/esbuild',
      '@size-limit/file'
    ],
    productionIgnorePatterns: [
      '/.ci',
      '/benchmarks',
      '/dist',
      '/test',
      '.aegir.js'
    ],
    developmentIgnorePatterns: [
      // a workspace with dependencies of its own
      '/benchmarks',
      '/dist',
      '/src'
    ]
  },
  test: {
    browser: {
      config: {
        // report every failure of a run, as mocha does in Node.js
        testRunner: {
          options: { bail: false }
        },
        // a browser of the system; without, Playwright takes its own
        browserContextOptions: chromium == null || chromium === ''
          ? {}
          : {
              executablePath: chromium,
              args: [
                '--no-sandbox',
                '--disable-gpu',
                '--disable-quic',
                '--no-first-run',
                '--disable-background-networking',
                '--disable-component-update',
                '--disable-sync'
              ]
            }
      }
    }
  }
}
