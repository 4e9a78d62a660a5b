import { within } from '../timeouts.ts'

/** A gate for a site's requests of one kind, where a test can stop them regardless of the machine's speed. */
export interface RequestGate {
  /** Counts a request and waits while requests are held. */
  pass(): Promise<void>
  /** Holds requests until the returned function is called. */
  hold(): () => void
  /**
   * Lets `count` more requests pass and holds the rest, so that the test continues in the middle of a reading. Call it
   * before the reading begins. The returned function waits for the last of the `count` and resolves with a function
   * that releases the others.
   */
  holdAfter(count: number): () => Promise<() => void>
}

/** `requests`: their name in the error of a test that waits in vain. */
export function createRequestGate(requests: string): RequestGate {
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
