import type { RowOf } from '#server/infra/db/statement.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { runHooks } from './hooks.ts'
import * as sql from './queries.ts'
import { decryptToken, tokenKey } from './token-encryption.ts'
import type { ShopOwner } from './with-shop-access.ts'

/** Timeout of the revocation at the platform. The seller is waiting, and our copy is already deleted. */
const revokeTimeoutMs = 5_000

type Row = RowOf<typeof sql.findSellerAccount>

/**
 * Disconnects a shop. Deletes its tokens, and revokes them if the platform supports that. Running work stops; live
 * listings stay as they are. Idempotent. Throws 404.
 */
export async function disconnect(services: Services, owner: ShopOwner): Promise<void> {
  const row = await transaction(services.db, 'disconnect', async (tx) => {
    const found = await tx.oneOrNone(sql.findSellerAccount(owner))
    if (!found) throw notFound()
    if (found.status === 'revoked') return null
    await tx.none(sql.revokeSellerAccount(owner))
    await runHooks('disconnected', services, tx, found)
    return found
  })
  if (row) await revokeAtPlatform(services, row)
}

async function revokeAtPlatform(services: Services, row: Row): Promise<void> {
  const oauth = services.platforms.get(row.platform)?.oauth
  if (!oauth?.revoke || !row.encrypted_access_token) return
  try {
    const key = tokenKey(services.config)
    const revoked = oauth.revoke({
      accessToken: decryptToken(row.encrypted_access_token, row, 'access', key),
      refreshToken: row.encrypted_refresh_token && decryptToken(row.encrypted_refresh_token, row, 'refresh', key),
    })
    await inTime(revoked, revokeTimeoutMs)
  } catch (error) {
    // No copy is left here, and the tokens expire at the platform.
    services.log.warn({ err: error, platform: row.platform }, 'tokens were not revoked at the platform')
  }
}

async function inTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
