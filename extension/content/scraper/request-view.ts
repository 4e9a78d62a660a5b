import { MessageError } from '#extension/messaging/message-error.ts'
import type { PageView, StuckReason } from '#extension/messaging/page-view.ts'

/** Times in a row that the worker may fail by itself before the seller is told, and how long until it is asked again. */
const maxFailures = 3
const askAgainMs = 60_000

export interface ViewRequest {
  /** False: the page's script was left behind by an update of the extension. */
  isValid: () => boolean
  ask: () => Promise<PageView>
  pause: (ms: number) => Promise<void>
  /** The worker cannot go on: it is asked again when the seller wants it, or the time has gone by. */
  stuck: (reason: StuckReason, againMs: number) => Promise<void>
}

/**
 * Asks until there is a view. A worker that died is asked again for as long as it takes; one that answers that it cannot,
 * such as one without room on the disk, is not asked for ever: it says so, and is asked again now and then. Null: this
 * script was left behind by an update of the extension.
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
 * A message wakes a worker that died, so that the first is sent again at once: in a hidden tab a timer alone may take a
 * minute. While the browser is still ending the old worker it refuses quickly; a long pause then would only be ours.
 */
function pauseMs(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(250 * 2 ** (attempt - 1), 2_000)
}
