/** Requests that the page's own scripts made, parsed by `read`, oldest first. */
interface PageRequests<Value> {
  /** Returns the requests so far with their times in ms since page load. */
  list(): readonly { value: Value; at: number }[]
  /** Excludes the extension's own requests for a URL. Call it before the request. */
  except(url: string): void
  /** Waits until the page makes a matching request, at most `timeoutMs`. */
  waitForOne(timeoutMs: number): Promise<void>
}

/**
 * Observes the page's requests through the Performance API, which exposes URLs but no headers or tokens.
 * `read` returns null for irrelevant requests.
 */
export function followRequests<Value>(read: (url: string) => Value | null): PageRequests<Value> {
  const found: { value: Value; at: number }[] = []
  const seen = new Set<string>()
  const own = new Set<string>()

  // Process each entry once, because the extension may request the same URL later.
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
