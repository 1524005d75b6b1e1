/**
 * What a web stream gives, for engines that cannot iterate over their own streams. The stream is cancelled where it is left early.
 */
export async function * streamPieces<Piece> (stream: ReadableStream<Piece>): AsyncGenerator<Piece> {
  const reader = stream.getReader()

  try {
    for (;;) {
      const { done, value } = await reader.read()

      if (done) {
        return
      }

      yield value
    }
  } finally {
    await reader.cancel()
  }
}
