// what these packages have of types is nothing

declare module 'flumelog-offset' {
  import type { Through } from 'pull-stream'

  export interface FlumeLog {
    readonly since: { once(listener: (offset: number) => void): void }
    append(this: void, records: Buffer[], done: (err: Error | null) => void): void
    stream(options: { seqs: boolean, live: boolean }): Through
  }

  export default function createLog (file: string, options: { blockSize: number }): FlumeLog
}

declare module 'pull-stream' {
  export type Through = (abort: unknown, done: (end: unknown, value?: Uint8Array) => void) => void

  const pull: {
    (source: Through, sink: unknown): void
    drain(take: (value: Uint8Array) => void, done: (err: Error | null) => void): unknown
  }

  export default pull
}

declare module 'async-append-only-log' {
  export interface AsyncLog {
    append(this: void, records: Buffer[], done: (err: Error | null) => void): void
    onDrain(listener: () => void): void
    stream(options: { offsets: boolean }): { pipe(sink: { paused: boolean, write(value: Uint8Array): void, end(err?: Error | null): void }): void }
    close(this: void, done: (err: Error | null) => void): void
  }

  export default function createLog (file: string, options: { blockSize: number, writeTimeout?: number }): AsyncLog
}

declare module 'bipf' {
  const bipf: {
    allocAndEncode(value: unknown): Buffer
    createSeekPath(path: readonly string[]): (bytes: Uint8Array, start: number) => number
    decode(bytes: Uint8Array, at: number): unknown
  }

  export default bipf
}
