import { findAddress } from '#server/accounts/billing/address.ts'
import { findSubscription } from '#server/accounts/billing/subscription.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem, invalidField, notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { minorFromDecimal } from '#shared/money.ts'
import { findPlatform, type PlatformEntry, type PlatformSlug } from '#shared/platforms.ts'
import * as listingsSql from '../queries.ts'
import { decideShop, type Shop } from './decide-shop.ts'
import * as sql from './queries.ts'

export interface ListedItem {
  uid: string
  sku: string | null
  title: string
  state: Availability
  currency: string
  price_minor: number
  images: string[]
}

/** Finds the user's item and the platform of a path. Throws the same 404 for either, so that it reveals nothing. */
export async function findTarget(
  queries: Queries,
  user_id: number,
  params: { uid: string; slug: string },
): Promise<{ item: ListedItem; platform: PlatformEntry }> {
  const platform = findPlatform(params.slug)
  const item = platform && (await findItem(queries, user_id, params.uid))
  if (!platform || !item) throw notFound()
  return { item, platform }
}

/** Finds an item with what listing needs. Returns null if the user has no such item. */
export function findItem(queries: Queries, user_id: number, item_uid: string): Promise<ListedItem | null> {
  return queries.oneOrNone(sql.findItem({ user_id, item_uid }))
}

/**
 * Throws if the seller may not list at all: 402 `subscription_required`, then 400 `address_required`.
 */
export async function requireSeller(services: Pick<Services, 'config' | 'db'>, user_id: number): Promise<void> {
  if (!(await findSubscription(services.db, services.config, user_id)).active) throw problem('subscription_required')
  if (!(await findAddress(services.db, user_id))) throw problem('address_required')
}

/** Returns the shop to list in. Throws the problems of decideShop, and 409 `platform_not_configured`. */
export async function requireShop(
  services: Pick<Services, 'db' | 'platforms'>,
  user_id: number,
  platform: PlatformSlug,
  named?: string,
): Promise<Shop> {
  const shops = await services.db.any(sql.findShops({ user_id, platform }))
  const shop = decideShop(platform, shops, named)
  if (shop instanceof HttpProblem) throw shop
  if (!services.platforms.get(platform)?.listings) throw problem('platform_not_configured')
  return shop
}

/**
 * Returns the shop that a request over several platforms names for this one, undefined if it names another platform's.
 * An unknown shop stays named, so that requireShop refuses it.
 */
export async function shopNamedFor(
  queries: Queries,
  named: { user_id: number; seller_account_uid?: string | null },
  platform: PlatformSlug,
): Promise<string | undefined> {
  if (!named.seller_account_uid) return undefined
  const shop = await queries.oneOrNone(
    listingsSql.findShopPlatform({ user_id: named.user_id, seller_account_uid: named.seller_account_uid }),
  )
  return shop && shop.platform !== platform ? undefined : named.seller_account_uid
}

/** Parses a price into minor units of the item's currency. Throws `invalid_request`. */
export function requirePrice(price: string, currency: string): number {
  const minor = minorFromDecimal(price, currency)
  if (minor === null) throw invalidField('price', 'invalid_price', `is not a price in ${currency}`)
  return requirePositive(minor)
}

/** Returns a price in minor units. Throws `invalid_request` for zero. */
export function requirePositive(price_minor: number): number {
  if (price_minor === 0) throw invalidField('price', 'invalid_price', 'must be more than zero')
  return price_minor
}
