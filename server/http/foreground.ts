/** Requests that are being answered and issue no token, as those see it that can wait for them. */
export interface Foreground {
  /** One has come in; what is returned is called once it is answered. */
  begin(): () => void
  /**
   * Resolves in a later turn of the event loop: in the next, or when none that came lately is being answered any more. It
   * waits for a few milliseconds at most.
   */
  giveWay(): Promise<void>
}

/**
 * One that takes longer waits for something else than the event loop, such as a platform or a large body: to wait for
 * it would help nobody.
 */
const shortMs = 20

/** About three times what one of them takes. */
const mostMs = 6

/**
 * What other requests wait for in a flood of sign-ins is each other piece of work on the event loop, several
 * times on their way: for their query, and for its answer. So whoever can be spared goes on between them.
 * `now` in milliseconds.
 */
export function createForeground(now: () => number = () => performance.now()): Foreground {
  /** When each began, the oldest first. */
  const under = new Map<symbol, number>()
  const waiting = new Set<() => void>()

  function isClear(): boolean {
    const longAgo = now() - shortMs
    for (const [request, beganMs] of under) {
      if (beganMs > longAgo) return false
      under.delete(request)
    }
    return true
  }

  function letGo(): void {
    if (isClear()) for (const go of waiting) go()
  }

  return {
    begin() {
      const request = Symbol('request')
      under.set(request, now())
      return () => {
        // Not before its answer is written, which is done in this turn.
        if (under.delete(request) && waiting.size > 0) setImmediate(letGo)
      }
    },
    async giveWay() {
      await new Promise((resolve) => setImmediate(resolve))
      if (isClear()) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(go, mostMs)
        function go() {
          clearTimeout(timer)
          waiting.delete(go)
          resolve()
        }
        waiting.add(go)
      })
    },
  }
}

const known = new WeakMap<object, Foreground>()

/** That of a server, by its services. */
export function foregroundOf(services: object): Foreground {
  const foreground = known.get(services) ?? createForeground()
  known.set(services, foreground)
  return foreground
}
