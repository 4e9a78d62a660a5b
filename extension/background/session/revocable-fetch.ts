import type { Fetch } from './api.ts'

/**
 * Returns a fetch whose pending requests can be aborted at once. Later requests are unaffected. `hold` returns a fetch
 * for several requests: once aborted, it sends no more.
 */
export function revocableFetch(fetch: Fetch): { fetch: Fetch; hold: () => Fetch; abort: () => void } {
  let calls = new AbortController()
  const hold = (): Fetch => {
    const { signal } = calls
    return async (url, init) => {
      signal.throwIfAborted()
      return fetch(url, { ...init, signal: AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]) })
    }
  }
  return {
    fetch: (url, init) => hold()(url, init),
    hold,
    abort() {
      calls.abort()
      calls = new AbortController()
    },
  }
}
