import { z } from 'zod'
import type { AnswerCache } from '#server/integrations/answer-cache.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Finding, PublishRequest, ShopAccess } from '#server/integrations/port.ts'
import { decimalFromMinor, minorFromDecimal } from '#shared/money.ts'
import type { Rest } from '../rest.ts'

/** Cache time of a site's least price, which changes once in years. */
const maxAgeMs = 86_400_000

const PricePolicies = z.object({
  minimumListingPricePolicies: z
    .array(
      z.object({
        listingType: z.string().nullish(),
        startPrice: z.object({ currency: z.string(), value: z.string() }).nullish(),
      }),
    )
    .default([]),
})

/** The least price of a fixed-price listing on a site. */
export interface LeastPrice {
  minor: number
  currency: string
}

/**
 * Returns the least price of a fixed-price listing on a site (Metadata API, getMinimumListingPricePolicies), which is
 * the same in all categories. Null where eBay names none. Cached for a day.
 */
export async function readLeastPrice(
  rest: Rest,
  { accessToken, signal }: ShopAccess,
  site: string,
  cache: AnswerCache,
): Promise<LeastPrice | null> {
  const path = `/sell/metadata/v1/marketplace/${encodeURIComponent(site)}/get_minimum_listing_price_policies`
  const answer = await cache.read(path, maxAgeMs, () =>
    rest({
      method: 'GET',
      accessToken,
      signal,
      call: 'the least prices of the site',
      path,
      schema: PricePolicies,
    }).catch((error: unknown) => {
      if (error instanceof PlatformError && ['refused', 'not_found'].includes(error.failure)) return undefined
      throw error
    }),
  )
  const policies = answer?.minimumListingPricePolicies ?? []
  const price = policies.find(({ listingType }) => listingType === 'FIXED_PRICE_ITEM')?.startPrice
  const minor = price ? minorFromDecimal(price.value, price.currency) : null
  return price && minor !== null ? { minor, currency: price.currency } : null
}

/** Returns the finding of a price below the least one. */
export function priceFindings({ price_minor, currency }: PublishRequest, least: LeastPrice | null): Finding[] {
  if (!least || least.currency !== currency || price_minor >= least.minor) return []
  const message = `eBay takes prices from ${decimalFromMinor(least.minor, currency)} ${currency} up on this site.`
  return [{ field: 'price', code: 'price_too_low', message, blocking: true }]
}
