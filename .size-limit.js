// Bundlers put what is imported dynamically into files of its own, which a page loads when it calls what needs them:
// history, garbage collection, file handles, cp, glob, opendir, addAll, and what guards named roots.
const apart = {
  name: 'what is loaded on demand stands apart',
  setup (build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) => kind === 'dynamic-import' ? { path, external: true } : undefined)
  }
}

const given = {
  path: 'dist/src/index.js',
  import: '{ dagfs }',
  ignore: ['multiformats', 'multiformats/*', '@ipld/dag-cbor', 'cborg', 'cborg/*'],
  gzip: true
}

export default [
  {
    ...given,
    name: 'what a page loads at first, without multiformats and dag-cbor (and its cborg)',
    limit: '40 kB',
    modifyEsbuildConfig: config => ({ ...config, plugins: [...config.plugins ?? [], apart] })
  },
  {
    ...given,
    name: 'everything as one file, without multiformats and dag-cbor',
    limit: '80 kB'
  }
]
