import { DecryptionError } from '#server/infra/crypto/encrypt.ts'
import { type Database, isDatabaseUnavailable, type Transaction } from '#server/infra/db/index.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import { notFound } from '#server/infra/errors.ts'
import { createKeyedLimit } from '#server/infra/keyed-limit.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, TokenGrant } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { type OAuthSlug, platformOf } from '#shared/platforms.ts'
import { runHooks } from './hooks.ts'
import * as sql from './queries.ts'
import { decryptToken, encryptGrant, tokenKey } from './token-encryption.ts'

/** A row of `findAccess` and `lockAccess`. */
export type AccessRow = RowOf<typeof sql.findAccess>

/** A grant from the platform that is not stored yet, with the row that it renews. */
interface Received {
  grant: TokenGrant | null
  row: AccessRow
}

type Renewed = { row: AccessRow } | { lost: PlatformError }

/** A refresh holds a connection while the platform answers, so platforms that hang must leave some free. */
const inTurn = createKeyedLimit(2)

/** Refreshes in progress, so that many callers in this process use one database connection. */
const underWay = new WeakMap<Database, Map<string, Promise<AccessRow>>>()

/**
 * Returns the shop's row with a grant newer than `seen.token_epoch`, from this refresh or a concurrent one. A row lock
 * allows one refresh at a time over all processes, and a rotated refresh token is stored before any use. Throws
 * PlatformError: `reconnect` if the grant is gone (the shop is then marked), others if the platform fails.
 */
export function refreshAccess(services: Services, adapter: PlatformAdapter, seen: AccessRow): Promise<AccessRow> {
  const flights = underWay.get(services.db) ?? new Map<string, Promise<AccessRow>>()
  underWay.set(services.db, flights)
  const name = `${seen.user_id}/${seen.seller_account_uid}/${seen.token_epoch}`
  const running = flights.get(name)
  if (running) return running
  const flight = renew(services, adapter, seen).finally(() => flights.delete(name))
  flights.set(name, flight)
  return flight
}

async function renew(services: Services, adapter: PlatformAdapter, seen: AccessRow): Promise<AccessRow> {
  const received: Received = { grant: null, row: seen }
  // Not `transaction`: after the platform has replaced the refresh token, a second run would send a used one.
  const renewed = await inTurn(seen.platform, () =>
    services.db.tx('refresh-access', (tx) => renewLocked(services, tx, adapter, seen, received)),
  ).catch(async (error: unknown) => {
    // The platform has replaced the refresh token but our transaction failed, so the only copy is in memory.
    if (received.grant && !(error instanceof PlatformError))
      return storeWithRetry(services, received.row, received.grant, error)
    throw error
  })
  if ('lost' in renewed) throw renewed.lost
  return renewed.row
}

async function renewLocked(
  services: Services,
  tx: Transaction,
  adapter: PlatformAdapter,
  seen: AccessRow,
  received: Received,
): Promise<Renewed> {
  // The lock is held during the call to the platform, whose timeout is shorter.
  await tx.one(
    `select set_config('lock_timeout', '90s', true), set_config('statement_timeout', '90s', true),
       set_config('idle_in_transaction_session_timeout', '90s', true)`,
  )
  const row = await tx.oneOrNone(sql.lockAccess(seen))
  if (!row || row.status === 'revoked') throw notFound()
  if (row.token_epoch > seen.token_epoch && row.status === 'connected') return { row }
  if (!row.encrypted_refresh_token) return { lost: reconnect(row.platform) }
  const key = tokenKey(services.config)
  try {
    received.row = row
    received.grant = await adapter.oauth.refresh(decryptToken(row.encrypted_refresh_token, row, 'refresh', key))
  } catch (error) {
    const lost = lossOf(error, row)
    if (!lost) throw error
    await markLost(services, tx, row, lost.grantGone)
    return { lost: lost.error }
  }
  const stored = encryptGrant(received.grant, row, key)
  const { token_epoch } = await tx.one(sql.storeGrant({ ...row, ...stored }))
  return { row: renewedRow(row, stored, token_epoch) }
}

function renewedRow(row: AccessRow, stored: ReturnType<typeof encryptGrant>, token_epoch: number): AccessRow {
  return {
    ...row,
    encrypted_access_token: stored.encrypted_access_token,
    encrypted_refresh_token: stored.encrypted_refresh_token ?? row.encrypted_refresh_token,
    token_epoch,
    is_stale: false,
    is_expired: false,
  }
}

/** Retries for a minute to store a grant whose transaction failed, for example while the database restarts. */
async function storeWithRetry(services: Services, row: AccessRow, grant: TokenGrant, first: unknown): Promise<Renewed> {
  services.log.error({ err: first, seller_account: row.seller_account_uid }, 'a renewed grant was not stored; retrying')
  const stored = encryptGrant(grant, row, tokenKey(services.config))
  for (let attempt = 0; ; attempt++) {
    try {
      const newest = await services.db.oneOrNone(sql.storeGrant({ ...row, ...stored }))
      if (!newest) return await readStored(services, row)
      return { row: renewedRow(row, stored, newest.token_epoch) }
    } catch (error) {
      if (attempt >= 7 || !isDatabaseUnavailable(error)) throw error
      services.log.warn({ err: error, attempt }, 'a renewed grant is still not stored')
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

/** Returns the row with a newer grant. Our commit may have succeeded, or the seller signed in again. */
async function readStored(services: Services, row: AccessRow): Promise<Renewed> {
  const now = await services.db.oneOrNone(sql.lockAccess(row))
  if (!now || now.status === 'revoked' || now.token_epoch <= row.token_epoch) throw notFound()
  return { row: now }
}

/**
 * Returns the error if only the seller can restore the connection, and whether the grant itself is gone. Returns null
 * for other errors.
 */
export function lossOf(error: unknown, row: AccessRow): { error: PlatformError; grantGone: boolean } | null {
  if (error instanceof PlatformError && error.failure === 'reconnect') return { error, grantGone: true }
  // The rejected client or refresh may be our fault, so keep the tokens.
  if (error instanceof PlatformError && error.failure === 'unauthorized') {
    return { error: reconnect(row.platform, error), grantGone: false }
  }
  // The tokens are readable again once the earlier SECRET_KEY is restored.
  if (error instanceof DecryptionError) return { error: reconnect(row.platform, error), grantGone: false }
  return null
}

/**
 * Marks the shop reconnect_required if the failed grant is still the current one. Deletes the tokens if `grantGone`.
 * Otherwise they stay, and the periodic check may find that they work.
 */
export async function markLost(
  services: Services,
  queries: Transaction,
  row: AccessRow,
  grantGone: boolean,
): Promise<void> {
  const marked = await queries.oneOrNone(
    sql.markReconnectRequired({
      user_id: row.user_id,
      seller_account_uid: row.seller_account_uid,
      token_epoch: row.token_epoch,
      grant_gone: grantGone,
    }),
  )
  if (!marked) return
  services.log.warn(
    { user_id: row.user_id, seller_account: row.seller_account_uid, platform: row.platform, grant_gone: grantGone },
    'a connection needs its seller to sign in again',
  )
  await runHooks('lost', services, queries, row)
}

/** Returns the error for a shop that only its seller can reconnect. */
export function reconnect(platform: OAuthSlug, cause?: unknown): PlatformError {
  const { name } = platformOf(platform)
  const message = `${name} no longer accepts the access of Hapax to this shop. Connect the shop again.`
  return new PlatformError(platform, 'reconnect', message, { cause })
}
