import { gather } from '#server/infra/db/gather.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/notices.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import { type PlatformSlug, platforms } from '#shared/platforms.ts'

const insertDelists = prepared(sql(import.meta.url, './sql/insert-delist-intents.sql'))
const cancelLists = prepared(sql(import.meta.url, './sql/cancel-list-intents.sql'))
const dismissTasks = prepared(sql(import.meta.url, './sql/dismiss-list-tasks.sql'))
const cancelPrices = prepared(sql(import.meta.url, './sql/cancel-price-intents.sql'))
const findManual = prepared(sql(import.meta.url, './sql/find-manual-listings.sql'))

/** Where workers hear that something should come down. */
export const intentChannel = 'listing_intent'

/** Where workers hear that something should go up or change its price, or that a bulk job begins. */
export const listingChannel = 'listing_up'

/** Why something is done on a platform. */
export type IntentCause = 'user' | 'bulk' | 'sale' | 'mark_sold' | 'compensation' | 'reconcile'

/** What is done first when there is more to do than the quotas allow. */
export const priorities = { sale: 20, delist: 10, list: 0, bulk: -10 } as const

/** The platforms on which the server itself takes listings down. */
export const apiPlatforms: PlatformSlug[] = platforms
  .filter((platform) => platform.capabilities.list === 'api')
  .map((platform) => platform.slug)

export interface DelistOrder {
  user_id: number
  item_uid: string
  /** The listing that was sold, and so needs no taking down; null for all. */
  except: { platform: PlatformSlug; listing_id: string } | null
  cause: IntentCause
  /** What of that kind: an order's uid, a bulk job's. */
  cause_ref?: string | null
  /** Why, in words for the seller, for what they must take down themselves: "Sold on eBay". */
  reason: string
  /** Only on these platforms; left out: everywhere. */
  platforms?: readonly PlatformSlug[]
  /** When the cause was first seen (ISO), for the figures of GET /api/v1/status/; now when left out. */
  seen_at?: string | null
}

export interface DelistIntents {
  /** What the server takes down. */
  intents: { id: string; platform: PlatformSlug; seller_account_uid: string; listing_id: string }[]
  /** Where the seller is asked to take it down. */
  tasks: PlatformSlug[]
  /** Where putting it up was under way and is undone. */
  cancelled: PlatformSlug[]
}

/**
 * Orders that every live listing of an item comes down, within the caller's transaction (spec 4.15): an intent
 * for each that an API reaches, a task for each that only the seller can, and an end to what is just being put up. The
 * caller has locked the item's row before, so that a listing that is recorded meanwhile is seen here, or sees the sale.
 * Asked again, it changes nothing.
 */
export async function insertDelistIntents(transaction: Queries, order: DelistOrder): Promise<DelistIntents> {
  const tx = gather(transaction)
  const values = {
    user_id: order.user_id,
    item_uid: order.item_uid,
    cause: order.cause,
    cause_ref: order.cause_ref ?? null,
    priority: order.cause === 'bulk' ? priorities.bulk : order.cause === 'user' ? priorities.delist : priorities.sale,
    seen_at: order.seen_at ?? null,
    api_platforms: apiPlatforms,
    platforms: order.platforms ?? null,
    except_platform: order.except?.platform ?? null,
    except_listing_id: order.except?.listing_id ?? null,
  }
  const [undone, , , intents, manual] = await Promise.all([
    tx.any<{ platform: PlatformSlug; is_under_way: boolean }>(cancelLists, values),
    tx.none(dismissTasks, values),
    tx.none(cancelPrices, values),
    tx.any<DelistIntents['intents'][number]>(insertDelists, values),
    tx.any<{ platform: PlatformSlug; seller_account_uid: string; listing_id: string; url: string }>(findManual, values),
  ])
  const cancelled = undone.filter((row) => row.is_under_way).map((row) => row.platform)
  for (const listing of manual) {
    await openTask(tx, { ...listing, ...order, kind: 'delist' })
  }
  if (intents.length + cancelled.length > 0) notify(tx, intentChannel)
  if (tx !== transaction) await tx.flush()
  return { intents, tasks: manual.map(({ platform }) => platform), cancelled }
}
