import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ListingResult } from '#shared/contract/listings.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { awaitOutcome } from './await-outcome.ts'
import { problemOf } from './list-item.ts'
import { apiPlatforms, listingChannel } from './operation.ts'
import { findTarget, requirePrice } from './prerequisites.ts'
import { pricesByRule } from './price-rules.ts'

const insertOperations = sql(import.meta.url, './sql/insert-price-operations.sql')
const findLive = sql(import.meta.url, './sql/find-live-listing.sql')
const findOutcome = sql(import.meta.url, './sql/find-outcome.sql')

/**
 * Queues another price for an item's live listings, in the caller's transaction: on the given platforms, else on every
 * platform with an API. A platform's price rule applies unless the price is `exact`. Listings in another currency keep
 * their price.
 */
export async function queuePriceChange(
  tx: Queries,
  order: {
    user_id: number
    item_uid: string
    price_minor: number
    currency: string
    platforms?: readonly PlatformSlug[]
    exact?: boolean
  },
): Promise<{ id: string; platform: PlatformSlug }[]> {
  const operations = await tx.any<{ id: string; platform: PlatformSlug }>(insertOperations, {
    platforms: null,
    ...order,
    prices: order.exact ? {} : await pricesByRule(tx, order.user_id, order),
    api_platforms: apiPlatforms,
  })
  if (operations.length > 0) notify(tx, listingChannel)
  return operations
}

/**
 * Changes the price of an item's live listing on a platform. Throws 404, 400, and 409 `not_available` where it is not
 * live.
 */
export async function changeListingPrice(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
  price: string,
): Promise<{ status: 200 | 202; body: ListingResult }> {
  const { db } = services
  const { item, platform } = await findTarget(db, user_id, params)
  const key = { user_id, item_uid: item.uid, platform: platform.slug }
  const live = await db.oneOrNone<{ listing_id: string; url: string; currency: string }>(findLive, key)
  if (!live || platform.capabilities.list !== 'api') {
    throw problem('not_available', `Hapax has no listing of it on ${platform.name}.`)
  }
  const price_minor = requirePrice(price, live.currency)
  const operations = await db.tx('change-price', (tx) =>
    queuePriceChange(tx, {
      user_id,
      item_uid: item.uid,
      price_minor,
      currency: live.currency,
      platforms: [platform.slug],
      exact: true,
    }),
  )
  const body = { status: 'listed', listing_id: live.listing_id, listing_url: live.url } as const
  const done = await awaitOutcome(async () => {
    for (const { id } of operations) {
      const { state, ...error } = await db.one<Parameters<typeof problemOf>[0] & { state: string }>(findOutcome, {
        user_id,
        id,
      })
      if (state === 'failed') throw problemOf(error)
      if (state === 'open') return null
    }
    return true
  })
  return done ? { status: 200, body } : { status: 202, body: { ...body, status: 'pending' } }
}
