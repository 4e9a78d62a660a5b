/** So many addresses are kept at most. */
const maxAddresses = 1_000

/**
 * Addresses that the page's scripts asked for, from the browser's own record: no header, so no token. `forget` leaves out
 * what was asked for so far, also where the browser tells of it later; `except`: what was asked for in here.
 */
export function followAddresses(except: ReadonlySet<string>, onMore: () => void) {
  let addresses: string[] = []
  /** Milliseconds since the page was opened: what was asked for earlier does not count. */
  let from = 0
  new PerformanceObserver((list) => {
    const before = addresses.length
    for (const entry of list.getEntries()) {
      const script = entry instanceof PerformanceResourceTiming && /^(fetch|xmlhttprequest)$/.test(entry.initiatorType)
      const counts = script && entry.startTime >= from && !except.has(entry.name)
      if (counts && addresses.length < maxAddresses) addresses.push(entry.name)
    }
    if (addresses.length > before) onMore()
  }).observe({ type: 'resource', buffered: true })
  return {
    list: (): readonly string[] => addresses,
    forget() {
      addresses = []
      from = performance.now()
    },
  }
}
