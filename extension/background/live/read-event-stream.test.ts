import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEventStream, type StreamedEvent } from './read-event-stream.ts'

/** Returns the events of a stream that arrives in these chunks. */
async function eventsOf(pieces: Uint8Array[]): Promise<StreamedEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const events: StreamedEvent[] = []
  for await (const event of readEventStream(body)) if (event) events.push(event)
  return events
}
const bytes = (text: string) => new TextEncoder().encode(text)

describe('an event stream', () => {
  it('is parsed the same for any chunks and line ends', async () => {
    const text =
      'retry: 3000\n\nid: 7\nevent: sale.recorded\ndata: {"é":"🧥"}\n\n: still here\n\nid:8\nevent:task.opened\ndata:{}\n\nid: 9\ndata: cut off'
    const expected = [
      { id: 7, type: 'sale.recorded' },
      { id: 8, type: 'task.opened' },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(160), { maxLength: 20 }), fc.boolean(), async (cuts, windows) => {
        const whole = bytes(windows ? text.replaceAll('\n', '\r\n') : text)
        const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((one, other) => one - other), whole.length]
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
        expect(await eventsOf(pieces)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('is canceled if a message never ends', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes('data: x'.repeat(20_000))),
      cancel() {
        cancelled = true
      },
    })
    await expect(async () => {
      for await (const event of readEventStream(body)) expect(event).toBeNull()
    }).rejects.toThrow('max buffer size')
    expect(cancelled).toBe(true)
  })

  it('ignores ids that are not numbers', async () => {
    const text =
      'id: 1e9\nevent: a\ndata: x\n\nid: 12345678901234567\nevent: b\ndata: x\n\nid: -1\nevent: c\ndata: x\n\n'
    expect((await eventsOf([bytes(text)])).map((event) => event.id)).toEqual([null, null, null])
  })
})
