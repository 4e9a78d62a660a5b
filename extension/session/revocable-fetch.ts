import type { Fetch } from './api.ts'

/** A fetch whose requests under way can be given up, all at once; later ones are not touched. */
export function revocableFetch(fetch: Fetch): { fetch: Fetch; giveUp: () => void } {
  let calls = new AbortController()
  return {
    fetch: (url, init) =>
      fetch(url, { ...init, signal: AbortSignal.any([calls.signal, ...(init.signal ? [init.signal] : [])]) }),
    giveUp() {
      calls.abort()
      calls = new AbortController()
    },
  }
}
