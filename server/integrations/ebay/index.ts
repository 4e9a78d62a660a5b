import type { Fetch } from '#server/infra/fetch.ts'
import { titleMax } from '#shared/listing-limits.ts'
import { platformOf } from '#shared/platforms.ts'
import type { FetchPicture } from '../fetch-picture.ts'
import { createExchange } from '../http.ts'
import type { PlatformAdapter } from '../port.ts'
import { createApplicationToken } from './application-token.ts'
import { createTrading } from './client.ts'
import { createOAuth, siteOf } from './oauth.ts'
import { createOrderPort } from './orders/orders.ts'
import { createShippingPort } from './orders/shipping.ts'
import { cut } from './publish/cut.ts'
import { createListingPort } from './publish/listing.ts'
import { createNoticePort } from './push/subscriptions.ts'
import { createListings } from './read/listings.ts'
import { createRest } from './rest.ts'

/** The values of server/config.ts that eBay needs. */
interface EbayConfig {
  EBAY_CLIENT_ID: string
  EBAY_CLIENT_SECRET: string
  EBAY_RU_NAME: string
  EBAY_AUTH_URL: string
  EBAY_API_URL: string
  EBAY_APIZ_URL: string
}

export interface EbayOptions {
  config: EbayConfig
  fetch: Fetch
  /** Fetches the pictures of new listings, to measure them; without it they are not measured. */
  fetchPicture?: FetchPicture
  /** Timeout of one exchange; 30 s by default. */
  timeoutMs?: number
  now?: () => Date
}

/** Public pages for sellers without policies of their own: the user agreement and the money back guarantee. */
const policyUrls = {
  shipping: platformOf('ebay').policy_url,
  returns:
    'https://www.ebay.com/help/policies/ebay-money-back-guarantee-policy/ebay-money-back-guarantee-policy?id=4210',
}

/**
 * Creates the eBay adapter. It signs in with OAuth, reads and lists with the Trading API, and reads orders with
 * the Fulfillment API.
 */
export function createEbayAdapter(options: EbayOptions): PlatformAdapter {
  const { config, fetch } = options
  const exchange = createExchange({ platform: 'ebay', fetch, way: 'ebay', timeoutMs: options.timeoutMs })
  const trading = createTrading({ apiUrl: config.EBAY_API_URL, exchange })
  const application = createApplicationToken({
    clientId: config.EBAY_CLIENT_ID,
    clientSecret: config.EBAY_CLIENT_SECRET,
    apiUrl: config.EBAY_API_URL,
    exchange,
    clock: () => performance.now(),
  })
  const rest = createRest({ apiUrl: config.EBAY_API_URL, exchange, application })
  const oauth = createOAuth({
    clientId: config.EBAY_CLIENT_ID,
    clientSecret: config.EBAY_CLIENT_SECRET,
    ruName: config.EBAY_RU_NAME,
    authUrl: config.EBAY_AUTH_URL,
    apiUrl: config.EBAY_API_URL,
    apizUrl: config.EBAY_APIZ_URL,
    exchange,
    reserve: fetch.reserve,
  })
  return {
    slug: 'ebay',
    oauth,
    imports: createListings(trading, { now: options.now }),
    listings: createListingPort({
      rest,
      trading,
      siteUrl: siteOf(config.EBAY_AUTH_URL),
      now: options.now,
      fetchPicture: options.fetchPicture,
    }),
    notices: createNoticePort({ rest, application, findMissingScope: oauth.findMissingScope }),
    orders: createOrderPort(rest),
    shipping: createShippingPort(rest),
    titleThere: (title) => cut(title, titleMax.ebay),
    policyUrls,
  }
}
