/** Maximum number of URLs kept. */
const maxAddresses = 1_000

/**
 * Records the URLs that the page's scripts request, from the browser's timing entries, which hold no headers. `forget`
 * drops earlier requests, even if reported later. `except`: our own requests.
 */
export function followAddresses(except: ReadonlySet<string>, onMore: () => void) {
  let addresses: string[] = []
  /** Ms since the page opened. Earlier requests are ignored. */
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
