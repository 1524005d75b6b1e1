import { fileSuite } from './file-suite.ts'
import { vectors } from './notation.ts'

// a gigabyte is written in Node alone
const maxBytesEverywhere = 2 ** 24

describe('vectors of files', () => {
  fileSuite(vectors.files.filter(({ bytes }) => bytes <= maxBytesEverywhere))
})
