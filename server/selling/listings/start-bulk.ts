import type { KeepReply } from '#server/http/idempotency.ts'
import { sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { BulkJob } from '#shared/contract/listings.ts'
import { newId } from '#shared/identity.ts'
import { findPlatform } from '#shared/platforms.ts'
import { listingChannel } from './operation.ts'
import { requireSeller } from './prerequisites.ts'
import { findBulkJob } from './read-bulk.ts'

const findShopPlatform = sql(import.meta.url, './sql/find-shop-platform.sql')
const insertJob = sql(import.meta.url, './sql/insert-bulk-job.sql')

/**
 * Starts listing or delisting many items on several platforms (spec 4.15), each pair once. Items of other users become
 * `not_found` results. The worker does the rest. Throws 400, and for listing 402 and 400 as for one item.
 */
export async function startBulk(
  services: Services,
  request: {
    user_id: number
    action: 'list' | 'delist'
    uids: string[]
    platforms: string[]
    price?: string
    seller_account_uid?: string
  },
  keep: KeepReply,
): Promise<{ status: 202; body: BulkJob }> {
  const { user_id, action, price } = request
  const platforms = [...new Set(request.platforms)]
  const unknown = platforms.findIndex((slug) => !findPlatform(slug))
  if (unknown >= 0) throw invalidField('platforms', 'unknown', `"${platforms[unknown]}" is not a platform`)
  if (price !== undefined && !/[1-9]/.test(price))
    throw invalidField('price', 'invalid_price', 'must be more than zero')
  if (action === 'list') await requireSeller(services, user_id)
  if (request.seller_account_uid !== undefined)
    await requireNamedShop(services, request.seller_account_uid, { user_id, platforms })
  const uid = newId('blk')
  return services.db.tx('start-bulk', async (tx) => {
    const uids = [...new Set(request.uids)]
    await tx.none(insertJob, {
      user_id,
      uid,
      action,
      price: price ?? null,
      seller_account_uid: request.seller_account_uid ?? null,
      uids,
      platforms,
    })
    notify(tx, listingChannel)
    return keep(tx, { status: 202, body: await findBulkJob(tx, user_id, uid) })
  })
}

/** Checks that a named shop is one of the user's, on one of the requested platforms. */
async function requireNamedShop(
  { db }: Pick<Services, 'db'>,
  seller_account_uid: string,
  request: { user_id: number; platforms: string[] },
): Promise<void> {
  const shop = await db.oneOrNone<{ platform: string }>(findShopPlatform, { ...request, seller_account_uid })
  if (!shop || !request.platforms.includes(shop.platform)) {
    throw invalidField('seller_account_uid', 'unknown', 'is not one of your shops on these platforms')
  }
}
