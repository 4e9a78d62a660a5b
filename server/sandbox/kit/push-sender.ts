import { setTimeout as delay } from 'node:timers/promises'

/** A push as it is sent. */
interface OutgoingPush {
  body: string
  headers: Record<string, string>
}

export interface PushSender {
  /** Sends a push and retries after each failure, as platforms do, until the last attempt. */
  send(push: OutgoingPush | ((attempt: number) => OutgoingPush)): void
  /** Drops pushes that are under way or waiting. */
  close(): void
}

/** Pauses before each attempt. */
export const usualPausesMs: readonly number[] = [0, 1_000, 5_000, 30_000]
const timeoutMs = 5_000

/** Creates a sender of one stand-in's pushes to the application's `url`. `onGivenUp`: after the last attempt of a push. */
export function createPushSender(
  url: string,
  { pausesMs = usualPausesMs, onGivenUp = () => {} }: { pausesMs?: readonly number[]; onGivenUp?: () => void } = {},
): PushSender {
  const closing = new AbortController()

  async function sendOnce({ body, headers }: OutgoingPush): Promise<boolean> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
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

  async function sendWithRetry(push: Parameters<PushSender['send']>[0]): Promise<void> {
    for (const [index, pauseMs] of pausesMs.entries()) {
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false })
      // A lost push is no error: applications find the change when they poll.
      if (await sendOnce(typeof push === 'function' ? push(index + 1) : push).catch(() => false)) return
    }
    onGivenUp()
  }

  return {
    send: (push) => void sendWithRetry(push).catch(() => {}),
    close: () => closing.abort(),
  }
}
