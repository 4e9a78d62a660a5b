import type { Fetch } from '#server/infra/fetch.ts'
import { platformOf } from '#shared/platforms.ts'
import { createFetchPicture, type FetchPicture } from '../fetch-picture.ts'
import { createExchange } from '../http.ts'
import type { PlatformAdapter } from '../port.ts'
import { createEtsy, type RateLimits } from './client.ts'
import { createOAuth } from './oauth.ts'
import { createOrderPort } from './orders/orders.ts'
import { createShippingPort } from './orders/shipping.ts'
import { createListingPort } from './publish/listing.ts'
import { etsyTitle } from './publish/listing-text.ts'
import { createListings } from './read/listings.ts'
import { createShopReader, withVacation } from './shop.ts'
import { createTaxonomy } from './taxonomy.ts'

/** The values of server/config.ts that Etsy needs. */
interface EtsyConfig {
  ETSY_CLIENT_ID: string
  ETSY_CLIENT_SECRET: string
  ETSY_AUTH_URL: string
  ETSY_API_URL: string
}

export interface EtsyOptions {
  config: EtsyConfig
  fetch: Fetch
  /** Fetches the pictures of new listings; by default from public hosts and Etsy's own. */
  fetchPicture?: FetchPicture
  clock?: () => Date
  /** Timeout of one exchange; 30 s by default. */
  timeoutMs?: number
  /** Called with the app's limits that each answer reports. */
  onRateLimits?: (limits: RateLimits) => void
}

/** Public pages for sellers without policies of their own: the seller policy and Etsy's purchase protection. */
const policyUrls = {
  shipping: platformOf('etsy').policy_url,
  returns: 'https://www.etsy.com/legal/buyers/',
}

/** Creates the Etsy adapter, which uses the Open API v3. */
export function createEtsyAdapter(options: EtsyOptions): PlatformAdapter {
  const { config, fetch } = options
  const exchange = createExchange({ platform: 'etsy', fetch, way: 'etsy', timeoutMs: options.timeoutMs })
  const etsy = createEtsy({
    apiUrl: config.ETSY_API_URL,
    clientId: config.ETSY_CLIENT_ID,
    sharedSecret: config.ETSY_CLIENT_SECRET,
    exchange,
    onRateLimits: options.onRateLimits,
  })
  const readShop = createShopReader(etsy)
  return {
    slug: 'etsy',
    oauth: createOAuth({
      clientId: config.ETSY_CLIENT_ID,
      authUrl: config.ETSY_AUTH_URL,
      apiUrl: config.ETSY_API_URL,
      exchange,
      etsy,
      reserve: fetch.reserve,
    }),
    imports: createListings(etsy),
    listings: withVacation(
      createListingPort({
        etsy,
        categories: createTaxonomy(etsy),
        fetchPicture:
          options.fetchPicture ?? createFetchPicture({ platformOrigins: [new URL(config.ETSY_API_URL).origin] }),
        siteUrl: config.ETSY_AUTH_URL,
        clock: options.clock ?? (() => new Date()),
        readShop,
      }),
      readShop,
    ),
    orders: createOrderPort(etsy),
    shipping: createShippingPort(etsy),
    titleThere: etsyTitle,
    policyUrls,
  }
}
