import { sql } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, ShopAccess } from '#server/integrations/port.ts'
import { forShop } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'
import { type AccessRow, lossOf, markLost, reconnect, refreshAccess } from './refresh-access.ts'
import { decryptToken, tokenKey } from './token-encryption.ts'

/** Planned each time: by a plan of when there were few, each call goes through all accounts. */
const findAccess = sql(import.meta.url, './sql/find-access.sql')

export interface ShopOwner {
  user_id: number
  seller_account_uid: string
}

/**
 * Runs `work` with a working access token of the owner's shop (decisions 5). The token is renewed five minutes before it
 * ends, once over all processes. When the platform does not take it (`unauthorized`), it is renewed once and `work` runs
 * once more, so `work` must bear running twice.
 *
 * Throws: HttpProblem 404 for a shop that is not there, not the owner's, disconnected, or of a deactivated account;
 * 409 `platform_not_configured`; PlatformError `reconnect` when only the seller can help (the shop is then marked
 * reconnect_required); and whatever `work` throws.
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

/** Marks the shop when the error means that it is lost; answers with the error to throw. */
async function recordLoss(services: Services, row: AccessRow, error: unknown): Promise<unknown> {
  const lost = lossOf(error, row)
  if (!lost) return error
  await services.db.tx('connection-lost', (tx) => markLost(services, tx, row, lost.grantGone))
  return lost.error
}

/** The shop's row with an access token that is good for some time yet; throws as withShopAccess does. */
export async function freshAccess(
  services: Services,
  owner: ShopOwner,
): Promise<{ row: AccessRow; adapter: PlatformAdapter }> {
  const row = await services.db.oneOrNone<AccessRow>(findAccess, owner)
  if (!row || row.status === 'revoked') throw notFound()
  const adapter = services.platforms.get(row.platform)
  if (!adapter) throw problem('platform_not_configured')
  if (row.status === 'reconnect_required' || !row.encrypted_access_token) throw reconnect(row.platform)
  if (!row.is_stale) return { row, adapter }
  try {
    return { row: await refreshAccess(services, adapter, row), adapter }
  } catch (error) {
    // The platform's token endpoint is down, and the token in hand still has some minutes: use them.
    if (error instanceof PlatformError && error.retryable && !row.is_expired) return { row, adapter }
    throw error
  }
}

/** What an adapter needs to act for the shop; throws `reconnect` or DecryptionError where there is no readable token. */
export function accessOf(services: Services, row: AccessRow, signal?: AbortSignal): ShopAccess {
  if (!row.encrypted_access_token) throw reconnect(row.platform)
  return {
    accessToken: decryptToken(row.encrypted_access_token, row, 'access', tokenKey(services.config)),
    shop: { external_id: row.external_id, external_name: row.external_name, url: row.url },
    ...(signal ? { signal } : {}),
  }
}
