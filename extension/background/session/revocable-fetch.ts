import type { Fetch } from './api.ts'

/**
 * A fetch whose requests under way can be given up, all at once; later ones are not touched. `hold` gives one for
 * something that takes several requests: given up, it makes no further ones.
 */
export function revocableFetch(fetch: Fetch): { fetch: Fetch; hold: () => Fetch; giveUp: () => void } {
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
    giveUp() {
      calls.abort()
      calls = new AbortController()
    },
  }
}
