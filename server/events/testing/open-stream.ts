export interface Told {
  id: string
  event: string
  data: { seq: number; data: { number: number } }
}

/** Opens a stream of events and collects what it tells. */
export async function openStream(url: string, headers: Record<string, string>, query = '') {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/v1/events/stream/${query}`, { headers, signal: abort.signal })
  const told: Told[] = []
  let end: 'open' | 'ended' | 'cut' = 'open'
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields: Record<string, string | undefined> = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        )
        if (fields.data) told.push({ id: fields.id ?? '', event: fields.event ?? '', data: JSON.parse(fields.data) })
        text = text.slice(end + 2)
      }
    }
    end = 'ended'
  })().catch(() => {
    end = 'cut'
  })
  return { response, told, abort, reading, endOf: () => end }
}
