import { backoffMs } from '../upload/decide-retry.ts'
import { readEventStream, type StreamedEvent } from './read-event-stream.ts'

/** A stream says every 15 s that it is alive; one that is silent for this long is dead, in milliseconds. */
const silenceMs = 45_000

/** How long to stay away from a server that has no such stream, or no room for one, in milliseconds. */
const noRoomMs = 60_000

export interface FollowDeps {
  open: (lastEventId: number | null, signal: AbortSignal) => Promise<Response>
  /** The last event that was heard, where that was a short while ago. */
  recall: () => Promise<number | null>
  remember: (id: number) => void
  random: () => number
  /** A stream is open. `missed` true: what happened before it is not told by it. */
  onOpen: (missed: boolean) => void
  onEvent: (event: StreamedEvent) => void
  /** No stream is open (any more). */
  onClosed: () => void
  /** The server does not take the key. True: that is final. */
  onRefused: () => Promise<boolean>
}

/** Listens to the account's events until `signal` ends it, through whatever breaks on the way. */
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

/** `heard`: there was a stream and it ended; `silent`: none came about. */
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
    // However it broke, it is opened anew: what was missed meanwhile is told then.
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
