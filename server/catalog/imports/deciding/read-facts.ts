import { httpUri } from '#server/catalog/inventory/clean.ts'
import { skuOf } from '#server/catalog/inventory/read-listing.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { BatchContext, BatchFacts } from './decide-listings.ts'
import { isScraped } from './move-listings.ts'
import * as sql from './queries.ts'

export interface ShopRef {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
}

/** Reads what a decision needs besides the listing. */
export async function readContext(
  services: Pick<Services, 'config' | 'platforms'>,
  queries: Queries,
  shop: ShopRef,
): Promise<BatchContext> {
  const row = await queries.one(sql.findDecisionContext(shop))
  const platform = platformOf(shop.platform)
  const policies = services.platforms.get(shop.platform)?.policyUrls
  return {
    platform: shop.platform,
    public_url: services.config.PUBLIC_URL,
    shop_url: httpUri(row.shop_url) ?? platform.url,
    shipping_policy_url: row.shipping_policy_url ?? policies?.shipping ?? platform.policy_url,
    returns_policy_url: row.returns_policy_url ?? policies?.returns ?? platform.policy_url,
    sku_required: row.sku_required,
  }
}

/** Reads what exists of these listings, in one query, without look-alikes. */
export async function readFacts(
  queries: Queries,
  shop: ShopRef,
  found: readonly (Listing | ListingFailure)[],
): Promise<Omit<BatchFacts, 'lookAlikes'>> {
  const skus = found.flatMap((each) => ('error_code' in each ? [] : (skuOf(each) ?? [])))
  const row = await queries.one(
    sql.findFacts({
      ...shop,
      any_shop: isScraped(shop),
      listing_ids: found.map((each) => each.listing_id),
      skus: [...new Set(skus)],
    }),
  )
  return {
    listings: new Map(row.listings.map(({ listing_id, ...known }) => [listing_id, known])),
    skus: new Map(row.skus.map(({ sku, ...item }) => [sku, item])),
    skips: new Map(row.skips.map(({ listing_id, ...skip }) => [listing_id, skip])),
    ownListing: new Map(
      row.own_listings.flatMap(({ listing_id, external_key, is_open, item }) => {
        const own = { is_open, item }
        return [[`sku ${external_key}`, own] as const, ...(listing_id ? [[`id ${listing_id}`, own] as const] : [])]
      }),
    ),
  }
}
