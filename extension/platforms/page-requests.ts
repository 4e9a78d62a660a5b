/** What the page itself has asked for, each request as `read` understands it, in the order of asking. */
export interface PageRequests<Value> {
  /** What it asked for so far, and when (milliseconds since the page was opened). */
  list(): readonly { value: Value; at: number }[]
  /** Says that an address is about to be asked for from in here, which is not the page's asking. */
  except(url: string): void
  /** Waits until the page has asked for one, or `timeoutMs` have gone by. */
  waitForOne(timeoutMs: number): Promise<void>
}

/**
 * Follows the page's requests by the browser's own record of them, which has their addresses and nothing else: no
 * header, so no token. `read`: null for a request that is none of these.
 */
export function followRequests<Value>(read: (url: string) => Value | null): PageRequests<Value> {
  const found: { value: Value; at: number }[] = []
  const seen = new Set<string>()
  const own = new Set<string>()

  // Each is looked at once: what is asked from in here later may have the very same address.
  function collect(): void {
    for (const { name, startTime } of performance.getEntriesByType('resource')) {
      const key = `${startTime} ${name}`
      if (seen.has(key)) continue
      seen.add(key)
      const value = own.has(name) ? null : read(name)
      if (value !== null) found.push({ value, at: startTime })
    }
  }

  return {
    list() {
      collect()
      return found
    },
    except(url) {
      collect()
      own.add(url)
    },
    waitForOne(timeoutMs) {
      return new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => {
          if (list.getEntries().some((entry) => read(entry.name) !== null)) finish()
        })
        const timer = setTimeout(finish, timeoutMs)
        function finish() {
          observer.disconnect()
          clearTimeout(timer)
          resolve()
        }
        observer.observe({ type: 'resource', buffered: true })
      })
    },
  }
}
