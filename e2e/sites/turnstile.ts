/** What a site's requests of one kind pass, one by one, and where a test can stop them: however quick the machine is. */
export interface Turnstile {
  /** Counts a request and lets it through, once requests are not held. */
  pass(): Promise<void>
  /** Requests are let through only from when what is returned is called. */
  hold(): () => void
  /**
   * Resolves when `count` further requests were let through. Those after them are held, so that what the test does next
   * is in the middle of a reading, until what it resolves with is called.
   */
  holdAfter(count: number): Promise<() => void>
}

export function createTurnstile(): Turnstile {
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
    holdAfter: (count) => new Promise((resolve) => stops.set(passed + count, resolve)),
  }
}
