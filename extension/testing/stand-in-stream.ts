/** Event streams of the stand-in server. `publish` sends an event to all of them. */
export class StandInStream {
  /** All events. The number of an event is its position, from 1. */
  readonly types: string[] = []
  /** The last event id that each opened stream sent. */
  readonly opened: (string | null)[] = []
  private readonly listeners = new Set<ReadableStreamDefaultController<Uint8Array>>()

  /** Number of open streams. */
  get open(): number {
    return this.listeners.size
  }

  publish(type: string): void {
    this.types.push(type)
    for (const listener of this.listeners) listener.enqueue(message(this.types.length, type))
  }

  /** Ends every stream, like a server restart. */
  breakOff(): void {
    for (const listener of this.listeners) listener.close()
    this.listeners.clear()
  }

  /** Answers `GET /api/v1/events/stream/`. */
  answer(lastEventId: string | null, signal: AbortSignal | null | undefined): Response {
    this.opened.push(lastEventId)
    let own: ReadableStreamDefaultController<Uint8Array>
    const leave = () => this.listeners.delete(own)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        own = controller
        this.listeners.add(controller)
        controller.enqueue(new TextEncoder().encode('retry: 3000\n\n'))
        const missed = lastEventId === null ? [] : this.types.slice(Number(lastEventId))
        for (const [index, type] of missed.entries()) {
          controller.enqueue(message(Number(lastEventId) + index + 1, type))
        }
        signal?.addEventListener('abort', () => leave() && controller.error(signal.reason))
      },
      cancel: () => void leave(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

function message(seq: number, type: string): Uint8Array {
  return new TextEncoder().encode(`id: ${seq}\nevent: ${type}\ndata: {"seq":${seq},"type":"${type}"}\n\n`)
}
