import { AccessWithdrawn, type Fetch } from './api.ts'

/** Returns a fetch that distinguishes a revoked host permission from a network error. Browsers report both alike. */
export function allowedFetch(fetch: Fetch, mayReach: (server: string) => Promise<boolean>): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init)
    } catch (cause) {
      // Aborted by us, or a real network error.
      if (init.signal?.aborted || (await mayReach(new URL(url).origin))) throw cause
      throw new AccessWithdrawn(cause)
    }
  }
}
