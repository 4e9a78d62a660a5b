/** A message of a stream of server-sent events, as far as the service sends it. */
export interface StreamedEvent {
  id: number | null
  type: string
}

/** More than any event has; a stream that goes on without an end of a message is none of ours. */
const maxChars = 1_000_000

/**
 * The events of a stream as they come; its signs of life between them are null. Ends with the stream. What an event holds
 * is not looked at: it says that something changed, and what it is now is asked for.
 */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent | null> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      // Lines may end in two characters, and the stream be cut between them.
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n')
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      if (text.length > maxChars) throw new Error('This is no stream of events.')
      yield null
      for (const message of messages) {
        const event = parse(message)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Null for what carries no event: a comment, or how soon to come back. */
function parse(message: string): StreamedEvent | null {
  const fields = new Map(
    message.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const
    }),
  )
  if (!fields.has('data')) return null
  const id = fields.get('id') ?? ''
  return { id: /^\d{1,15}$/.test(id) ? Number(id) : null, type: fields.get('event') ?? 'message' }
}
