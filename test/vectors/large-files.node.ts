import { fileSuite } from './file-suite.ts'
import { vectors } from './notation.ts'

describe('vectors of files over 16 MiB', () => {
  fileSuite(vectors.files.filter(({ bytes }) => bytes > 2 ** 24))
})
