import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, ShopAccess } from '#server/integrations/port.ts'
import { forShop } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { type AccessRow, lossOf, markLost, reconnect, refreshAccess } from './refresh-access.ts'
import { decryptToken, tokenKey } from './token-encryption.ts'

export interface ShopOwner {
  user_id: number
  seller_account_uid: string
}

/**
 * Runs `work` with a valid access token of the owner's shop. The token is renewed five minutes before it expires, once
 * over all processes. If the platform rejects it (`unauthorized`), it is renewed and `work` runs again, so `work` must
 * be idempotent.
 *
 * Throws HttpProblem 404 for a shop that is missing, disconnected, another user's or of a deactivated account. Throws
 * HttpProblem 409 `platform_not_configured`. Throws PlatformError `reconnect` if only the seller can help; the shop is
 * then marked reconnect_required. Rethrows errors of `work`.
 */
export async function withShopAccess<T>(
  services: Services,
  owner: ShopOwner,
  work: (access: ShopAccess, adapter: PlatformAdapter) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { row, adapter } = await freshAccess(services, owner)
  try {
    return await forShop(row.external_id, () => work(accessOf(services, row, signal), adapter))
  } catch (error) {
    if (!(error instanceof PlatformError) || error.failure !== 'unauthorized')
      throw await recordLoss(services, row, error)
  }
  const renewed = await refreshAccess(services, adapter, row)
  try {
    return await forShop(row.external_id, () => work(accessOf(services, renewed, signal), adapter))
  } catch (error) {
    throw await recordLoss(services, renewed, error)
  }
}

/** Marks the shop as lost if the error means that. Returns the error to throw. */
async function recordLoss(services: Services, row: AccessRow, error: unknown): Promise<unknown> {
  const lost = lossOf(error, row)
  if (!lost) return error
  await transaction(services.db, 'mark-connection-lost', (tx) => markLost(services, tx, row, lost.grantGone))
  return lost.error
}

/** Returns the shop's row with an access token that stays valid for a while. Throws as withShopAccess does. */
async function freshAccess(
  services: Services,
  owner: ShopOwner,
): Promise<{ row: AccessRow; adapter: PlatformAdapter }> {
  const row = await services.db.oneOrNone(sql.findAccess(owner))
  if (!row || row.status === 'revoked') throw notFound()
  const adapter = services.platforms.get(row.platform)
  if (!adapter) throw problem('platform_not_configured')
  if (row.status === 'reconnect_required' || !row.encrypted_access_token) throw reconnect(row.platform)
  if (!row.is_stale) return { row, adapter }
  try {
    return { row: await refreshAccess(services, adapter, row), adapter }
  } catch (error) {
    // The token endpoint is down, and the current token is still valid for some minutes.
    if (error instanceof PlatformError && error.retryable && !row.is_expired) return { row, adapter }
    throw error
  }
}

/**
 * Returns a shop's access for its adapter. Throws `reconnect` without a token, DecryptionError for an unreadable one.
 */
export function accessOf(services: Services, row: AccessRow, signal?: AbortSignal): ShopAccess {
  if (!row.encrypted_access_token) throw reconnect(row.platform)
  return {
    accessToken: decryptToken(row.encrypted_access_token, row, 'access', tokenKey(services.config)),
    shop: { external_id: row.external_id, external_name: row.external_name, url: row.url },
    ...(signal ? { signal } : {}),
  }
}
