import { type KeepReply, keepNothing } from '#server/http/idempotency/idempotency.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { invalidField, notFound, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { ImportState } from '#shared/listing.ts'
import { findPlatform, OAuthSlug, type PlatformEntry, platformOf } from '#shared/platforms.ts'
import { openJob } from './open-job.ts'
import * as sql from './queries.ts'
import { sendImportRun } from './queue.ts'

interface Shop {
  uid: string
  platform: OAuthSlug
  status: 'connected' | 'reconnect_required'
}

type CreatedJob = { status: 200 | 201; body: ImportJob }

/**
 * Starts importing a connected shop. Throws 404 for another user's shop, and 400 for a wrong marketplace
 * or state. Throws 409 if the platform or connection does not work, and 429 above the daily limit.
 */
export async function createJob(
  services: Services,
  asked: {
    user_id: number
    seller_account_uid: string
    marketplace: string
    states?: ImportState[]
    auto_start?: boolean
  },
  keep: KeepReply = keepNothing,
): Promise<CreatedJob> {
  const platform = OAuthSlug.safeParse(asked.marketplace)
  if (!platform.success) throw invalidField('marketplace', 'invalid_value', 'must be ebay or etsy')
  const [shop] = await shopsOf(services.db, { user_id: asked.user_id, uid: asked.seller_account_uid })
  if (!shop) throw notFound()
  if (shop.platform !== platform.data) {
    throw invalidField('marketplace', 'wrong_marketplace', 'is not the platform of this seller account')
  }
  return pullShop(services, asked, shop, keep)
}

/** Imports the only connected shop on a platform. Throws 400 if there is none, or several. */
export async function createPlatformJob(
  services: Services,
  asked: { user_id: number; platform: string },
  keep: KeepReply = keepNothing,
): Promise<CreatedJob> {
  const entry = findPlatform(asked.platform)
  if (!entry) throw notFound()
  if (entry.capabilities.import !== 'api') {
    throw problem('platform_not_connectable', `${entry.name} is read by the extension, in the seller's own tab.`)
  }
  return pullShop(services, asked, await onlyShop(services.db, asked.user_id, entry), keep)
}

async function onlyShop(queries: Queries, user_id: number, platform: PlatformEntry): Promise<Shop> {
  const shops = await shopsOf(queries, { user_id, platform: platform.slug })
  const working = shops.filter((shop) => shop.status === 'connected')
  const [shop, another] = working.length > 0 ? working : shops
  if (!shop) throw problem('connection_required', `Connect ${platform.name} first.`)
  if (another) throw problem('seller_account_required', `Several ${platform.name} shops are connected. Name one.`)
  return shop
}

async function pullShop(
  services: Services,
  asked: { user_id: number; states?: ImportState[]; auto_start?: boolean },
  shop: Shop,
  keep: KeepReply,
): Promise<CreatedJob> {
  const states = [...new Set(asked.states ?? (['active'] as const))]
  const platform = platformOf(shop.platform)
  const shown: readonly ImportState[] = platform.import_states
  const unknown = states.find((state) => !shown.includes(state))
  if (unknown) throw invalidField('states', 'invalid_value', `${platform.name} does not show ${unknown} listings`)
  if (!services.platforms.has(shop.platform)) throw problem('platform_not_configured')
  if (shop.status === 'reconnect_required') {
    throw problem('reconnect_required', `${platform.name} asks you to connect the shop again.`)
  }
  return transaction(services.db, 'create-import', async (tx) => {
    const opened = await openJob(tx, {
      user_id: asked.user_id,
      seller_account_uid: shop.uid,
      platform: shop.platform,
      source: 'pull',
      states,
      auto_start: asked.auto_start ?? true,
      expected_total: null,
    })
    if (opened.status === 201) await services.quotas.requireImportQuota(tx, asked.user_id)
    const begun =
      asked.auto_start !== false && (await tx.oneOrNone(sql.startStoppedJob({ ...asked, job_uid: opened.body.id })))
    if (opened.status === 201 || begun) {
      await sendImportRun(services, tx, { user_id: asked.user_id, job_uid: opened.body.id })
    }
    return keep(tx, opened)
  })
}

async function shopsOf(
  queries: Queries,
  filter: { user_id: number; uid?: string; platform?: string },
): Promise<Shop[]> {
  return queries.any(
    sql.findShops({
      user_id: filter.user_id,
      uid: filter.uid ?? null,
      platform: filter.platform ?? null,
    }),
  )
}
