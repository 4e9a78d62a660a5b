import { AccessWithdrawn, type Fetch } from './api.ts'

/**
 * A fetch that tells it apart when nothing comes because the browser lets nothing through: sellers can take back the
 * access to a host that they gave, and a request there then fails as without a network.
 */
export function allowedFetch(fetch: Fetch, mayReach: (server: string) => Promise<boolean>): Fetch {
  return async (url, init) => {
    try {
      return await fetch(url, init)
    } catch (cause) {
      // Given up by ourselves, or no network: the browser has nothing to do with it.
      if (init.signal?.aborted || (await mayReach(new URL(url).origin))) throw cause
      throw new AccessWithdrawn(cause)
    }
  }
}
