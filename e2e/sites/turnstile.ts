import { within } from '../patience.ts'

/** What a site's requests of one kind pass, one by one, and where a test can stop them: however quick the machine is. */
export interface Turnstile {
  /** Counts a request and lets it through, once requests are not held. */
  pass(): Promise<void>
  /** Requests are let through only from when what is returned is called. */
  hold(): () => void
  /**
   * From this call on `count` further requests are let through, and those after them are held, so that what the test does
   * next is in the middle of a reading: call it before the reading begins, which may be over in no time. What it returns
   * waits until the last of the `count` was let through, and resolves with what lets the others go on.
   */
  holdAfter(count: number): () => Promise<() => void>
}

/** `requests`: what they are, for the message of a test that waits for them in vain. */
export function createTurnstile(requests: string): Turnstile {
  let passed = 0
  let held: Promise<void> | null = null
  const stops = new Map<number, (release: () => void) => void>()
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return () => {
      if (held === promise) held = null
      resolve()
    }
  }
  return {
    async pass() {
      while (held) await held
      passed++
      stops.get(passed)?.(hold())
      stops.delete(passed)
    },
    hold,
    holdAfter(count) {
      const before = passed
      const { promise, resolve } = Promise.withResolvers<() => void>()
      stops.set(before + count, resolve)
      return () => within(() => `${count} ${requests}: ${passed - before} came, after ${before} earlier ones`, promise)
    },
  }
}
