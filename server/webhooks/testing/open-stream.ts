import { EventSourceParserStream } from 'eventsource-parser/stream'

interface StreamedEvent {
  id: string
  event: string
  data: { seq: number; data: { number: number } }
}

/** Opens a stream of events and collects its output. */
export async function openStream(url: string, headers: Record<string, string>, query = '') {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/v1/events/stream/${query}`, { headers, signal: abort.signal })
  const received: StreamedEvent[] = []
  let end: 'open' | 'ended' | 'cut' = 'open'
  const reading = (async () => {
    const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for await (const { id = '', event = '', data } of events) received.push({ id, event, data: JSON.parse(data) })
    end = 'ended'
  })().catch(() => {
    end = 'cut'
  })
  return { response, received, abort, reading, endOf: () => end }
}
