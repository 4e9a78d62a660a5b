import { MessageError } from '#extension/messaging/message-error.ts'
import type { PageView, StuckReason } from '#extension/messaging/page-view.ts'

/** Consecutive failures before the seller is told, and the delay before asking again, in ms. */
const maxFailures = 3
const askAgainMs = 60_000

interface ViewRequest {
  /** False after an update of the extension orphaned this script. */
  isValid: () => boolean
  ask: () => Promise<PageView>
  pause: (ms: number) => Promise<void>
  /** Waits until the seller or the timeout asks again. */
  stuck: (reason: StuckReason, againMs: number) => Promise<void>
}

/**
 * Requests a view until one arrives. Retries a dead worker forever. A worker that keeps failing, such as on a full
 * disk, is shown as stuck and asked rarely. Returns null if this script was orphaned.
 */
export async function requestView({ isValid, ask, pause, stuck }: ViewRequest): Promise<PageView | null> {
  let failures = 0
  for (let attempt = 0; isValid(); attempt++) {
    try {
      return await ask()
    } catch (error) {
      const code = error instanceof MessageError ? error.code : null
      if (code === 'refused_message') return null
      failures = code === 'no_room' || code === 'internal' ? failures + 1 : 0
      if (failures >= maxFailures) await stuck(code === 'no_room' ? 'no_room' : 'internal', askAgainMs)
      else await pause(pauseMs(attempt))
    }
  }
  return null
}

/**
 * Retry at once first: a message wakes the worker, while timers of hidden tabs may take a minute. Later retries back
 * off.
 */
function pauseMs(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(250 * 2 ** (attempt - 1), 2_000)
}
