import type { Config } from '../config.ts'
import { createEbayPush } from './ebay/push.ts'
import { createEtsyPush } from './etsy/push.ts'
import type { Fetch } from './port.ts'
import type { PushPort } from './push.ts'

export interface Pushes {
  /** Null where eBay is not configured: nothing could be checked. */
  ebay: PushPort | null
  etsy: PushPort
}

/** How each platform's pushes are read; made once per process, since keys are cached. */
export function createPushes(given: { config: Config; fetch: Fetch; now: () => Date }): Pushes {
  const { config, fetch, now } = given
  const { EBAY_CLIENT_ID: clientId, EBAY_CLIENT_SECRET: clientSecret, EBAY_API_URL: apiUrl } = config
  return {
    ebay:
      clientId && clientSecret
        ? createEbayPush({
            clientId,
            clientSecret,
            apiUrl,
            fetch,
            bounds: { timeoutMs: 5_000, maxBytes: 100_000 },
            clock: () => performance.now(),
          })
        : null,
    etsy: createEtsyPush({ secret: config.ETSY_WEBHOOK_SECRET, now }),
  }
}
