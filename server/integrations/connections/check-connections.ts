import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, ShopAccess, ShopIdentity } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { runHooks } from './hooks.ts'
import * as sql from './queries.ts'
import { type AccessRow, reconnect, refreshAccess } from './refresh-access.ts'
import { accessOf, type ShopOwner, withShopAccess } from './with-shop-access.ts'

type Due = ShopOwner & { platform: OAuthSlug }

/**
 * Checks connections that were unused for a day. Their tokens are renewed in time, and a lost connection shows before a
 * sale depends on it. A connection in reconnect_required is retried if its grant may still be valid. Returns the number
 * of connections checked, at most `limit`.
 */
export async function checkConnections(services: Services, limit = 40, signal?: AbortSignal): Promise<number> {
  const due = await services.db.any(sql.claimDueChecks({ limit }))
  const rest = [...due]
  const worker = async () => {
    for (let next = rest.shift(); next && !signal?.aborted; next = rest.shift()) await checkOne(services, next)
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  return due.length
}

async function checkOne(services: Services, due: Due): Promise<void> {
  try {
    const shop = await identifyShop(services, due)
    await services.db.none(sql.recordSeen({ ...due, currency: null, ...shop }))
  } catch (error) {
    const facts = { err: error, platform: due.platform, seller_account: due.seller_account_uid }
    // Disconnected or closed meanwhile, or the platform is disabled.
    if (error instanceof HttpProblem) return services.log.info(facts, 'skipped the check of a connection')
    if (error instanceof PlatformError && error.failure === 'reconnect') {
      return services.log.info(facts, 'a connection was lost')
    }
    services.log.warn(facts, 'a connection could not be checked')
    await services.db.none(sql.postponeCheck(due))
  }
}

async function identifyShop(services: Services, due: Due): Promise<ShopIdentity> {
  const adapter = services.platforms.get(due.platform)
  const row = await services.db.oneOrNone(sql.findAccess(due))
  if (adapter && row?.status === 'reconnect_required') return resume(services, adapter, row)
  return withShopAccess(services, due, identifySame)
}

/** Renews a lost connection. It is connected again only if the platform then identifies the same shop. */
async function resume(services: Services, adapter: PlatformAdapter, row: AccessRow): Promise<ShopIdentity> {
  const renewed = await refreshAccess(services, adapter, row)
  const shop = await identifySame(accessOf(services, renewed), adapter)
  await transaction(services.db, 'resume-connection', async (tx) => {
    const resumed = await tx.oneOrNone(
      sql.markConnected({
        user_id: row.user_id,
        seller_account_uid: row.seller_account_uid,
        token_epoch: renewed.token_epoch,
      }),
    )
    if (resumed) await runHooks('resumed', services, tx, row)
  })
  return shop
}

async function identifySame(access: ShopAccess, adapter: PlatformAdapter): Promise<ShopIdentity> {
  const shop = await adapter.oauth.identify(access.accessToken)
  if (shop.external_id === access.shop.external_id) return shop
  throw reconnect(adapter.slug, new Error('the tokens are of another shop'))
}
