import { setTimeout as delay } from 'node:timers/promises'

/** A push as it goes out, the same at every attempt. */
export interface OutgoingPush {
  body: string
  headers: Record<string, string>
}

export interface PushSender {
  /** Sends it as platforms do: again after each failure, and never after the last. */
  send(push: OutgoingPush): void
  /** What is on its way or waits is lost. */
  close(): void
}

/** How long each attempt waits after the one before. */
const pausesMs = [0, 1_000, 5_000, 30_000]
const patienceMs = 5_000

/** Sends a sandbox platform's pushes to the application's `url`. */
export function createPushSender(url: string): PushSender {
  const closing = new AbortController()

  async function sendOnce({ body, headers }: OutgoingPush): Promise<boolean> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMs)])
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
      redirect: 'error',
      signal,
    })
    await answer.body?.cancel()
    return answer.ok
  }

  async function insist(push: OutgoingPush): Promise<void> {
    for (const pauseMs of pausesMs) {
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false })
      // Nobody there, or too slow: the next attempt says the same. A lost push is what polling is for.
      if (await sendOnce(push).catch(() => false)) return
    }
  }

  return {
    send: (push) => void insist(push).catch(() => {}),
    close: () => closing.abort(),
  }
}
