import type { Services } from '#server/services.ts'
import { createEbayPush } from './ebay/push/push.ts'
import { createPushKeyStore } from './ebay/push/push-key-store.ts'
import { createEtsyPush } from './etsy/push.ts'
import type { PushPort } from './push.ts'

export interface Pushes {
  /** Null without eBay's credentials, because signatures cannot be verified. */
  ebay: PushPort | null
  etsy: PushPort
}

/** Creates the readers of each platform's pushes. Create them once per process, because they cache keys. */
export function createPushes(services: Pick<Services, 'config' | 'db' | 'fetch' | 'log' | 'now'>): Pushes {
  const { config, db, fetch, log, now } = services
  const { EBAY_CLIENT_ID: clientId, EBAY_CLIENT_SECRET: clientSecret, EBAY_API_URL: apiUrl } = config
  return {
    ebay:
      clientId && clientSecret
        ? createEbayPush({
            clientId,
            clientSecret,
            apiUrl,
            fetch,
            clock: () => performance.now(),
            store: createPushKeyStore(db),
            onRefreshFailed: (error) => log.warn({ err: error }, 'a push key could not be fetched again'),
          })
        : null,
    etsy: createEtsyPush({ secret: config.ETSY_WEBHOOK_SECRET, now }),
  }
}
