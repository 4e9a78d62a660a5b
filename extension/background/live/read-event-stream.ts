import { createParser } from 'eventsource-parser'

/** One server-sent event, as far as the extension uses it. */
export interface StreamedEvent {
  id: number | null
  type: string
}

/** Longer than any event. Guards against a message that never ends. */
const maxChars = 1_000_000

/**
 * Yields a stream's events, and null for any arriving bytes, as a sign of life. Skips event data, since callers fetch
 * the current state. Throws if a message does not end.
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
