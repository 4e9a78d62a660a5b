import { createParser } from 'eventsource-parser'

/** A message of a stream of server-sent events, as far as the service sends it. */
export interface StreamedEvent {
  id: number | null
  type: string
}

/** Longer than any event; a stream that goes on without the end of a message is not one of ours. */
const maxChars = 1_000_000

/**
 * Yields the events of a stream as they come, and null whenever bytes arrive, which shows that the stream is alive. The
 * data of an event is left unread: an event says that something changed, and the caller asks for the current state.
 * Throws when a message does not end.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent | null> {
  const arrived: StreamedEvent[] = []
  const parser = createParser({
    maxBufferSize: maxChars,
    onEvent: ({ id = '', event = 'message' }) =>
      arrived.push({ id: /^\d{1,15}$/.test(id) ? Number(id) : null, type: event }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield null
    yield* arrived.splice(0)
  }
}
