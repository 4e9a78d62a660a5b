import { setTimeout as delay } from 'node:timers/promises'

/**
 * Polls, with growing pauses, until there is an answer. Returns null after `forMs`. It polls the database because the
 * worker may be another process.
 */
export async function awaitOutcome<T>(ask: () => Promise<T | null>, forMs: number): Promise<T | null> {
  const until = performance.now() + forMs
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 1.4, 300)) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() + pauseMs > until) return null
    await delay(pauseMs)
  }
}
