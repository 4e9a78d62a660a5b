import { buildAccount } from '#e2e/harness/account.ts'
import type { Database, Queries } from '#server/infra/db/index.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { LineStatus } from '../decide-sale.ts'
import type { Evidence, ReportedLine, ReportedOrder } from '../observed-sale.ts'
import { recordSale } from '../record-sale.ts'

export interface ListedItem {
  user_id: number
  item_uid: string
  shops: Record<string, string>
}

export interface TestSeller {
  user_id: number
  shops: Record<string, string>
}

/** Builds an account with a shop on each platform. */
export async function buildSeller(db: Database, platforms: PlatformSlug[] = ['ebay', 'etsy']): Promise<TestSeller> {
  const { user_id } = await buildAccount(db)
  const shops: Record<string, string> = {}
  for (const platform of platforms) shops[platform] = await insertShop(db, user_id, platform)
  return { user_id, shops }
}

/** Builds an item that is live in every shop of its seller, as listing `{platform}-{item uid}`. */
export async function buildListedItem(
  db: Queries,
  seller: TestSeller,
  given: { state?: string; sku?: string } = {},
): Promise<ListedItem> {
  const item_uid = await insertItem(db, seller.user_id, given)
  for (const [platform, seller_account_uid] of Object.entries(seller.shops)) {
    await insertLiveListing(db, {
      user_id: seller.user_id,
      item_uid,
      seller_account_uid,
      platform: platform as PlatformSlug,
      listing_id: listingOf(platform, item_uid),
    })
  }
  return { ...seller, item_uid }
}

export const listingOf = (platform: string, item_uid: string) => `${platform}-${item_uid}`

export const minute = (count: number) => new Date(Date.UTC(2026, 0, 5, 10, count)).toISOString()

/** Builds an order for the item on one of its platforms. */
export function orderFor(
  item: ListedItem,
  platform: PlatformSlug,
  given: {
    id?: string
    status?: LineStatus
    at?: number
    /** Purchase time (ISO); defaults to the first minute. */
    ordered_at?: string
    quantity?: number
    refunded?: ReportedLine['refunded']
    listing_id?: string
    sku?: string
    title?: string
  } = {},
): ReportedOrder {
  return {
    platform,
    seller_account_uid: item.shops[platform] ?? null,
    external_order_id: given.id ?? `order-${platform}`,
    source: 'platform',
    ordered_at: given.ordered_at ?? minute(0),
    modified_at: minute(given.at ?? 0),
    lines: [
      {
        external_line_id: '1',
        listing_id: given.listing_id ?? listingOf(platform, item.item_uid),
        sku: given.sku ?? null,
        title: given.title ?? null,
        quantity: given.quantity ?? 1,
        price_minor: 4_250,
        currency: 'USD',
        status: given.status ?? 'paid',
        ...(given.refunded ? { refunded: given.refunded } : {}),
      },
    ],
  }
}

export const byPoll: Evidence = { by: 'poll', seen_at: '2026-01-05T10:00:00.000Z' }

/** Records an order as polling its shop does. */
export const placeOrder = (
  db: Database,
  user_id: number,
  order: ReportedOrder,
  options?: Parameters<typeof recordSale>[3],
) => recordSale(db, user_id, { order, evidence: byPoll }, options)
