import { expect } from 'aegir/chai'
import fc from 'fast-check'
import { operation } from './arbitraries.ts'
import { isPossible, perform } from './calls.ts'
import type { Call, Operation, System } from './calls.ts'

const longest = 100

/** Two systems that have to answer alike. */
export interface Pair {
  readonly model: System
  readonly real: System
  /** What holds when the operations are over */
  check(): Promise<void>
  close(): Promise<void>
}

/** How many operations were compared. */
export interface Tally {
  operations: number
  refused: number
}

/**
 * Applies the operations to both systems in turn, and asks that they answer alike: in values, and in the facts of errors.
 */
export async function replay (open: () => Promise<Pair>, operations: readonly Operation[]): Promise<void> {
  const pair = await open()

  try {
    for (const given of operations) {
      if (isPossible(pair.model, given)) {
        await compare(pair, given)
      }
    }

    await pair.check()
  } finally {
    await pair.close()
  }
}

/**
 * A property of two systems: random sequences of the given calls have the same outcomes on both.
 */
export function agreement (open: () => Promise<Pair>, calls: readonly Call[], tally: Tally = { operations: 0, refused: 0 }): fc.IAsyncProperty<unknown> {
  const commands = calls.map(call => operation(call).map(given => new Step(given, tally)))

  return fc.asyncProperty(fc.commands(commands, { maxCommands: longest, size: 'max', disableReplayLog: true }), async steps => {
    const pair = await open()

    try {
      await fc.asyncModelRun(() => ({ model: pair, real: undefined }), steps)
      await pair.check()
    } finally {
      await pair.close()
    }
  })
}

class Step implements fc.AsyncCommand<Pair, undefined> {
  readonly #operation: Operation
  readonly #tally: Tally

  constructor (given: Operation, tally: Tally) {
    this.#operation = given
    this.#tally = tally
  }

  check ({ model }: Readonly<Pair>): boolean {
    return isPossible(model, this.#operation)
  }

  async run (pair: Pair): Promise<void> {
    const isRefused = await compare(pair, this.#operation)
    this.#tally.operations++
    this.#tally.refused += isRefused ? 1 : 0
  }

  /** As it is to be saved */
  toString (): string {
    return JSON.stringify(this.#operation)
  }
}

async function compare ({ model, real }: Pair, given: Operation): Promise<boolean> {
  const expected = await perform(model, given)
  const actual = await perform(real, given)
  expect(actual, `${JSON.stringify(given)} gave ${JSON.stringify(actual)}, not ${JSON.stringify(expected)},`).to.deep.equal(expected)

  return 'error' in expected
}
