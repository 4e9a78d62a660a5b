import type { KeepReply } from '#server/http/idempotency/idempotency.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { Services } from '#server/services.ts'
import type { FieldError } from '#shared/contract/declaring/errors.ts'
import type { BulkJob, ListingOptions, OptionsByPlatform } from '#shared/contract/selling/listings.ts'
import { newId } from '#shared/identity.ts'
import { findPlatform, type OAuthSlug, platformOf } from '#shared/platforms.ts'
import type { PriceChange } from '#shared/price-schemas.ts'
import { listingChannel, noPlatform } from '../operation.ts'
import { requireSeller } from '../preflight/prerequisites.ts'
import * as listingsSql from '../queries.ts'
import type { ItemEditOrder } from './edit-items.ts'
import * as sql from './queries.ts'
import { findBulkJob } from './read-bulk.ts'

interface BulkRequest {
  user_id: number
  action: BulkJob['action']
  uids?: string[]
  items?: { uid: string; options?: OptionsByPlatform }[]
  platforms: string[]
  price?: string
  price_change?: PriceChange
  item_edit?: ItemEditOrder
  /** Options of all items. An item's own go before them. */
  options?: OptionsByPlatform
  seller_account_uid?: string
}

/** Most items of a job, in `uids` and `items` together. */
const maxItems = 10_000

/**
 * Starts listing or delisting many items on several platforms, each pair once, or changing their prices or fields.
 * Items of other users become `not_found` results. The worker does the rest. Throws 400, and for listing 402 and 400 as
 * for one item.
 */
export async function startBulk(
  services: Services,
  request: BulkRequest,
  keep: KeepReply,
): Promise<{ status: 202; body: BulkJob }> {
  const { user_id, action, price } = request
  const platforms = [...new Set(request.platforms)]
  const unknown = platforms.findIndex((slug) => slug !== noPlatform && !findPlatform(slug))
  if (unknown >= 0) throw invalidField('platforms', 'unknown', `"${platforms[unknown]}" is not a platform`)
  if (price !== undefined && !/[1-9]/.test(price))
    throw invalidField('price', 'invalid_price', 'must be more than zero')
  const errors = faultsOf(request)
  if (errors.length > 0) throw problem('invalid_request', undefined, { errors })
  if (action === 'list') await requireSeller(services, user_id)
  if (request.seller_account_uid !== undefined)
    await requireNamedShop(services, request.seller_account_uid, { user_id, platforms })
  const uid = newId('blk')
  return transaction(services.db, 'start-bulk', async (tx) => {
    await tx.none(
      sql.insertBulkJob({
        user_id,
        uid,
        action,
        price: price ?? null,
        price_change: request.price_change ?? null,
        item_edit: request.item_edit ?? null,
        seller_account_uid: request.seller_account_uid ?? null,
        items: JSON.stringify(itemsOf(request)),
        platforms,
        traceparent: traceparentToKeep(),
      }),
    )
    notify(tx, listingChannel)
    return keep(tx, { status: 202, body: await findBulkJob(tx, user_id, uid) })
  })
}

/** Returns what is wrong with the items and their options, each at its place. Nothing is queued then. */
function faultsOf({ uids = [], items = [], platforms, options, item_edit }: BulkRequest): FieldError[] {
  const count = uids.length + items.length
  if (count === 0) return [{ field: 'uids', code: 'required', message: 'is required, or items' }]
  if (count > maxItems) return [{ field: 'items', code: 'too_big', message: `must have at most ${maxItems} entries` }]
  const given = new Set(uids)
  return [
    ...unaskedOptions(options, platforms, 'options'),
    ...(item_edit?.update_listings ?? []).flatMap((slug, index) => {
      const { name, capabilities } = platformOf(slug)
      const message = `listings on ${name} can only be changed there`
      return capabilities.edit.length === 0
        ? [{ field: `update_listings.${index}`, code: 'invalid_value', message }]
        : []
    }),
    ...items.flatMap(({ uid, options }, index) => {
      const isTwice = given.has(uid)
      given.add(uid)
      const twice = { field: `items.${index}.uid`, code: 'duplicate', message: 'is given twice' }
      return [...(isTwice ? [twice] : []), ...unaskedOptions(options, platforms, `items.${index}.options`)]
    }),
  ]
}

function unaskedOptions(options: OptionsByPlatform | undefined, platforms: string[], field: string): FieldError[] {
  return Object.keys(options ?? {})
    .filter((slug) => !platforms.includes(slug))
    .map((slug) => ({ field: `${field}.${slug}`, code: 'not_requested', message: 'is not among the platforms' }))
}

/** Returns each item once, with the options that it is listed with. */
function itemsOf({ uids = [], items = [], options }: BulkRequest): { uid: string; options?: OptionsByPlatform }[] {
  const plain = [...new Set(uids)].map((uid) => ({ uid, options }))
  return [...plain, ...items.map((item) => ({ uid: item.uid, options: mergeOptions(options, item.options) }))]
}

function mergeOptions(all: OptionsByPlatform = {}, own: OptionsByPlatform = {}): OptionsByPlatform {
  const merge = (slug: OAuthSlug): ListingOptions => {
    const aspects = { ...all[slug]?.aspects, ...own[slug]?.aspects }
    return { ...all[slug], ...own[slug], ...(Object.keys(aspects).length > 0 ? { aspects } : {}) }
  }
  const slugs = Object.keys({ ...all, ...own }) as OAuthSlug[]
  return Object.fromEntries(slugs.map((slug) => [slug, merge(slug)]))
}

/** Checks that a named shop is one of the user's, on one of the requested platforms. */
async function requireNamedShop(
  { db }: Pick<Services, 'db'>,
  seller_account_uid: string,
  request: { user_id: number; platforms: string[] },
): Promise<void> {
  const shop = await db.oneOrNone(listingsSql.findShopPlatform({ ...request, seller_account_uid }))
  if (!shop || !request.platforms.includes(shop.platform)) {
    throw invalidField('seller_account_uid', 'unknown', 'is not one of your shops on these platforms')
  }
}
