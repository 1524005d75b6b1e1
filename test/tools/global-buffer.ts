import { Buffer } from 'buffer'

// isomorphic-git takes it for granted, in browsers as well
globalThis.Buffer ??= Buffer
