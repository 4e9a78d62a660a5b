import { type Queries, sql } from '#server/db/index.ts'
import { httpUri } from '#server/inventory/clean.ts'
import { skuOf } from '#server/inventory/read-listing.ts'
import type { Services } from '#server/services.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { KnownItem, KnownListing } from './decide.ts'
import type { BatchContext, BatchFacts } from './decide-batch.ts'

const findContext = sql(import.meta.url, './sql/find-decision-context.sql')
const findListings = sql(import.meta.url, './sql/find-known-listings.sql')
const findSkus = sql(import.meta.url, './sql/find-items-by-sku.sql')

export interface ShopRef {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
}

/** What a decision needs beside the listing. */
export async function readContext(
  services: Pick<Services, 'config' | 'platforms'>,
  queries: Queries,
  shop: ShopRef,
): Promise<BatchContext> {
  const row = await queries.one<{
    shop_url: string
    shipping_policy_url: string | null
    returns_policy_url: string | null
    sku_required: boolean
  }>(findContext, shop)
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

/** What the inventory holds already of these listings, in two queries however many they are. */
export async function readFacts(
  queries: Queries,
  shop: ShopRef,
  found: readonly (Listing | ListingFailure)[],
): Promise<BatchFacts> {
  const listings = found.filter((each): each is Listing => !('error_code' in each))
  const skus = [...new Set(listings.map(skuOf).filter((sku) => sku !== null))]
  const listingRows = await queries.any<KnownListing & { listing_id: string } & KnownListing['item']>(findListings, {
    ...shop,
    listing_ids: listings.map((listing) => listing.listing_id),
  })
  const skuRows = skus.length > 0 ? await queries.any<KnownItem & { sku: string }>(findSkus, { ...shop, skus }) : []
  return {
    listings: new Map(
      listingRows.map(({ listing_id, price_minor, currency, ...item }) => [
        listing_id,
        { price_minor, currency, item },
      ]),
    ),
    skus: new Map(skuRows.map(({ sku, ...item }) => [sku, item])),
    lookAlikes: new Map(),
  }
}
