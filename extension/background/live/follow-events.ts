import { backoffMs } from '../upload/decide-retry.ts'
import { readEventStream, type StreamedEvent } from './read-event-stream.ts'

/** Silence after which a stream counts as dead, in ms. The server sends a heartbeat every 15 s. */
const silenceMs = 45_000

/** Delay before retrying a server without a stream, or at its limit, in ms. */
const noRoomMs = 60_000

interface FollowDeps {
  open: (lastEventId: number | null, signal: AbortSignal) => Promise<Response>
  /** Returns the last event's id if it is recent. */
  recall: () => Promise<number | null>
  remember: (id: number) => void
  random: () => number
  /** Called when a stream opens. `missed`: events before it are lost. */
  onOpen: (missed: boolean) => void
  onEvent: (event: StreamedEvent) => void
  /** Called when no stream is open. */
  onClosed: () => void
  /** Called when the server rejects the key. True ends the loop. */
  onRefused: () => Promise<boolean>
}

/** Follows the account's events until `signal` aborts, reconnecting after every failure. */
export async function followEvents(deps: FollowDeps, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const outcome = await listen(deps, signal)
    deps.onClosed()
    if (signal.aborted || outcome === 'refused') return
    failures = outcome === 'heard' ? 0 : failures + 1
    const waitMs = outcome === 'no_room' ? noRoomMs : backoffMs(failures - 1, deps.random, null)
    await pause(outcome === 'heard' ? 1_000 : waitMs, signal)
  }
}

/** `heard`: the stream opened and ended. `silent`: it never opened. */
type Outcome = 'heard' | 'silent' | 'no_room' | 'refused'

async function listen(deps: FollowDeps, signal: AbortSignal): Promise<Outcome> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const alive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  let opened = false
  try {
    alive()
    const last = await deps.recall()
    const response = await deps.open(last, AbortSignal.any([signal, silence.signal]))
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      if (response.status === 401) return (await deps.onRefused()) ? 'refused' : 'silent'
      return response.status < 500 ? 'no_room' : 'silent'
    }
    opened = true
    deps.onOpen(last === null)
    for await (const event of readEventStream(response.body)) {
      alive()
      if (!event) continue
      if (event.id !== null) deps.remember(event.id)
      deps.onEvent(event)
    }
    return 'heard'
  } catch {
    // Reconnecting delivers what was missed.
    return opened ? 'heard' : 'silent'
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
