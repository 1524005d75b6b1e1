import { createHash } from 'node:crypto'
import { CID } from 'multiformats/cid'
import { SeededRandom } from '../../corpora/keystream.ts'

/**
 * A message of a feed, much as those that the published figures were taken on
 */
export interface Message {
  readonly author: string
  readonly sequence: number
  readonly timestamp: number
  /**
   * The message before of the same author
   */
  readonly previous: CID | null
  readonly hash: string
  readonly content: { readonly type: string, readonly text: string, readonly mentions: ReadonlyArray<{ readonly name: string, readonly link: string }>, readonly channel: string | null }
  readonly signature: Uint8Array
}

/**
 * The property that is read of every message, and what it can be
 */
export const propertyPath = ['content', 'type'] as const
const types = ['post', 'post', 'post', 'vote', 'contact', 'about'] as const

const authors = 100
/**
 * A text is cut out of one long one, from anywhere; with the other properties, so many bytes make a record of 1 KB
 */
const textBytes = { least: 250, below: 800 }
const words = 100_000
const mentions = 4
const startMs = Date.UTC(2026, 0, 1)
const stepMs = 60_000

/**
 * Makes messages without end, the same for the same seed everywhere. Of each it
 * has to be told the CID before the next one is asked for.
 */
export function * messages (seed: string): Generator<Message, never, CID> {
  const random = new SeededRandom(`${seed}/messages`)
  const vocabulary = Array.from({ length: 2_048 }, () => letters(random, 2 + random.below(9)).toLowerCase())
  const prose = Array.from({ length: words }, () => vocabulary[random.below(vocabulary.length)]).join(' ')
  const feeds = Array.from({ length: authors }, () => ({ name: `@${letters(random, 44)}.ed25519`, sequence: 0, last: null as CID | null }))

  for (let count = 0; ; count++) {
    const feed = feeds[random.below(authors)]

    feed.sequence++
    feed.last = yield {
      author: feed.name,
      sequence: feed.sequence,
      timestamp: startMs + count * stepMs,
      previous: feed.last,
      hash: 'sha256',
      content: {
        type: types[random.below(types.length)],
        text: cut(prose, random.below(prose.length - textBytes.least - textBytes.below), textBytes.least + random.below(textBytes.below)),
        mentions: Array.from({ length: random.below(mentions) }, () => ({ name: vocabulary[random.below(vocabulary.length)], link: feeds[random.below(authors)].name })),
        channel: random.below(2) === 0 ? null : vocabulary[random.below(vocabulary.length)]
      },
      signature: createHash('sha512').update(`${feed.name}/${feed.sequence}`).digest()
    }
  }
}

function cut (text: string, start: number, length: number): string {
  return text.slice(start, start + length)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function letters (random: SeededRandom, length: number): string {
  return Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('')
}
