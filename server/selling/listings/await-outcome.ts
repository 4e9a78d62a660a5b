import { setTimeout as delay } from 'node:timers/promises'

/** How long a call waits for its worker before it answers that the work goes on. */
export const waitMs = 12_000

/**
 * Asks again and again, at first often, until there is an answer; null when there is none in time. The worker may be
 * another process, so that the database is asked.
 */
export async function awaitOutcome<T>(ask: () => Promise<T | null>, forMs = waitMs): Promise<T | null> {
  const until = performance.now() + forMs
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.4, 300)) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() + pauseMs > until) return null
    await delay(pauseMs)
  }
}
