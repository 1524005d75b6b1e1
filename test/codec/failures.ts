import type { Kind } from './dag-cbor-twin.ts'

/**
 * Blocks that were treated wrongly once, and the error that they must be refused with, or undefined. They are tried before
 * new ones are looked for.
 */
export const failures: ReadonlyArray<{ kind: Kind, hex: string, error: string | undefined, why: string }> = [
  {
    kind: 'snapshot',
    hex: 'a168736e617073686f74a46474726565d82a58250001711220c719641e6b0c6b885e52f51de3eb981dd332028bf2f7d461bc5c79b5c952f6a6666c61796f7574a36577696474681904016a6368756e6b42797465731a001000006b696e6c696e6542797465730067706172656e7473806a67656e65726174696f6e00',
    error: 'InvalidNodeError',
    why: 'a layout with indexes wider than a reader takes was accepted'
  },
  {
    kind: 'snapshot',
    hex: 'a168736e617073686f74a46474726565d82a58250001711220c719641e6b0c6b885e52f51de3eb981dd332028bf2f7d461bc5c79b5c952f6a6666c61796f7574a36577696474681904006a6368756e6b42797465731a001000006b696e6c696e65427974657319080067706172656e7473806a67656e65726174696f6e00',
    error: 'InvalidNodeError',
    why: 'the default layout was accepted, a second encoding of the same snapshot'
  },
  {
    kind: 'directory',
    hex: 'a163646972828461616166d82a58250001711220173ec0de0d4dc88dbe1c809403e591b457c45aca8617b21ecf09ded544890f7c1b001fffffffffffff846162616c616101',
    error: undefined,
    why: 'a leaf was refused, the size of a symbolic link taken for that of a file'
  }
]
