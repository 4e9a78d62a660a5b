import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { sql } from '#server/db/index.ts'
import { HttpProblem } from '#server/http/errors.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import type { LiveState } from '#server/platforms/port.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { tellListing } from './tell.ts'

const claimDue = sql(import.meta.url, './sql/claim-shops-to-reconcile.sql')
const findLive = sql(import.meta.url, './sql/find-live-of-shop.sql')
const endOutside = sql(import.meta.url, './sql/end-outside.sql')
const touchItem = sql(import.meta.url, './sql/touch-item.sql')

interface Shop {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
}

interface LiveRow {
  listing_id: string
  item_uid: string
  url: string
}

/** Listings looked at one by one in a run; what is left waits an hour. */
const lookedAt = 100

/**
 * Compares what we hold for live with what the platforms show, each shop every hour (faults F27): a listing that its seller
 * ended on the platform itself is recorded as ended. What is missing in the list is read by itself before it is believed. A
 * sale is left to its order, and a listing that an intent is about to that. Answers how many shops were looked at.
 */
export async function reconcileShops(
  services: Services,
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<number> {
  const due = await services.db.any<Shop>(claimDue, { limit, platforms: [...services.platforms.keys()] })
  for (const shop of due) {
    if (signal?.aborted) break
    await reconcileShop(services, shop, signal).catch((error: unknown) => {
      if (!(error instanceof PlatformError) && !(error instanceof HttpProblem)) throw error
      // The next hour sees to it; a lost connection is marked where it was noticed.
      services.log.info({ err: error, seller_account: shop.seller_account_uid }, 'a shop could not be reconciled')
    })
  }
  return due.length
}

async function reconcileShop(services: Services, shop: Shop, signal?: AbortSignal): Promise<void> {
  const held = await services.db.any<LiveRow>(findLive, shop)
  if (held.length === 0) return
  const doubtful = await withShopAccess(
    services,
    shop,
    async (access, { imports }) => {
      if (!imports.readLiveIds) return []
      const live = new Set<string>()
      for (let cursor: string | null = null; ; ) {
        const page = await imports.readLiveIds(access, cursor)
        for (const id of page.ids) live.add(id)
        cursor = page.nextCursor
        if (cursor === null) break
      }
      return held.filter(({ listing_id }) => !live.has(listing_id))
    },
    signal,
  )
  for (const listing of doubtful.slice(0, lookedAt)) {
    const state = await withShopAccess(
      services,
      shop,
      async (access, { listings }): Promise<LiveState> =>
        (await listings?.readState(access, listing.listing_id)) ?? 'live',
      signal,
    )
    if (state === 'ended' || state === 'missing') await recordEnded(services, shop, listing)
  }
}

async function recordEnded(services: Services, shop: Shop, listing: LiveRow): Promise<void> {
  await services.db.tx('ended-outside', async (tx) => {
    const ended = await tx.oneOrNone(endOutside, { ...shop, ...listing })
    if (!ended) return
    await tx.none(touchItem, { ...shop, item_uid: listing.item_uid })
    const about = {
      ...shop,
      ...listing,
      id: '',
      listing_url: listing.url,
      cause: 'reconcile' as const,
      cause_ref: null,
    }
    await tellListing(tx, 'listing.delisted', about)
  })
}
