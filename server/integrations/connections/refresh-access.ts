import { DecryptionError } from '#server/infra/crypto/encrypt.ts'
import { type Database, isDatabaseUnavailable, type Queries, sql } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, TokenGrant } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { runHooks } from './hooks.ts'
import { decryptToken, encryptGrant, tokenKey } from './token-encryption.ts'

const lockAccess = sql(import.meta.url, './sql/lock-access.sql')
const storeGrant = sql(import.meta.url, './sql/store-grant.sql')
const markReconnectRequired = sql(import.meta.url, './sql/mark-reconnect-required.sql')

/** A row of find-access.sql and lock-access.sql. */
export interface AccessRow {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
  external_id: string
  external_name: string
  url: string
  status: 'connected' | 'reconnect_required' | 'revoked'
  token_epoch: number
  encrypted_access_token: Buffer | null
  encrypted_refresh_token: Buffer | null
  is_stale: boolean
  is_expired: boolean
}

/** The grant that the platform has given and that is not stored yet, and the row that it renews. */
interface Received {
  grant: TokenGrant | null
  row: AccessRow
}

type Renewed = { row: AccessRow } | { lost: PlatformError }

/** Refreshes under way in this process, so that a hundred callers hold one database connection, not a hundred. */
const underWay = new WeakMap<Database, Map<string, Promise<AccessRow>>>()

/**
 * The shop's row, its status unchanged, with a grant newer than `seen.token_epoch`: refreshed by us, or by whoever came first. Over all
 * processes one refresh runs at a time (row lock), and a rotated refresh token is stored before anything else happens
 * with it. Throws PlatformError: `reconnect` when the grant is gone (the shop is then marked so), others
 * as the platform failed.
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
  const renewed = await services.db
    .tx('refresh-access', (tx) => renewLocked(services, tx, adapter, seen, received))
    .catch(async (error: unknown) => {
      // The platform has already replaced the refresh token, and our transaction died: the only copy is here.
      if (received.grant && !(error instanceof PlatformError))
        return storeWithRetry(services, received.row, received.grant, error)
      throw error
    })
  if ('lost' in renewed) throw renewed.lost
  return renewed.row
}

async function renewLocked(
  services: Services,
  tx: Queries,
  adapter: PlatformAdapter,
  seen: AccessRow,
  received: Received,
): Promise<Renewed> {
  // The lock is held over a call to the platform, whose own time limit is well below this.
  await tx.one(
    `select set_config('lock_timeout', '90s', true), set_config('statement_timeout', '90s', true),
       set_config('idle_in_transaction_session_timeout', '90s', true)`,
  )
  const row = await tx.oneOrNone<AccessRow>(lockAccess, seen)
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
  const { token_epoch } = await tx.one<{ token_epoch: number }>(storeGrant, {
    ...stored,
    user_id: row.user_id,
    seller_account_uid: row.seller_account_uid,
    token_epoch: row.token_epoch,
    status: row.status,
  })
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

/** Tries for a minute to store a grant whose transaction died (a restarted database), over the grant it came from. */
async function storeWithRetry(services: Services, row: AccessRow, grant: TokenGrant, first: unknown): Promise<Renewed> {
  services.log.error(
    { err: first, seller_account: row.seller_account_uid },
    'a renewed grant was not stored; trying on',
  )
  const stored = encryptGrant(grant, row, tokenKey(services.config))
  for (let attempt = 0; ; attempt++) {
    try {
      const newest = await services.db.oneOrNone<{ token_epoch: number }>(storeGrant, {
        ...stored,
        user_id: row.user_id,
        seller_account_uid: row.seller_account_uid,
        token_epoch: row.token_epoch,
        status: row.status,
      })
      if (!newest) return await readStored(services, row)
      return { row: renewedRow(row, stored, newest.token_epoch) }
    } catch (error) {
      if (attempt >= 7 || !isDatabaseUnavailable(error)) throw error
      services.log.warn({ err: error, attempt }, 'a renewed grant is still not stored')
      await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }
}

/** A grant newer than `row`'s is there: our own, whose commit had come through unheard, or a new sign-in's. */
async function readStored(services: Services, row: AccessRow): Promise<Renewed> {
  const now = await services.db.oneOrNone<AccessRow>(lockAccess, row)
  if (!now || now.status === 'revoked' || now.token_epoch <= row.token_epoch) throw notFound()
  return { row: now }
}

/** Whether an error means that only the seller can bring the connection back, and whether the grant itself is gone. */
export function lossOf(error: unknown, row: AccessRow): { error: PlatformError; grantGone: boolean } | null {
  if (error instanceof PlatformError && error.failure === 'reconnect') return { error, grantGone: true }
  // The platform refuses us as a client or the refresh as a call: perhaps our own fault, so the tokens are kept.
  if (error instanceof PlatformError && error.failure === 'unauthorized') {
    return { error: reconnect(row.platform, error), grantGone: false }
  }
  // Sealed with another SECRET_KEY: it opens again should that one come back.
  if (error instanceof DecryptionError) return { error: reconnect(row.platform, error), grantGone: false }
  return null
}

/**
 * Marks the shop reconnect_required, while the grant that failed is still the one in use. `grantGone`: the platform said
 * that the grant itself is over, so its tokens are destroyed; else they stay, and the periodic check may find them
 * working again.
 */
export async function markLost(
  services: Services,
  queries: Queries,
  row: AccessRow,
  grantGone: boolean,
): Promise<void> {
  const marked = await queries.oneOrNone(markReconnectRequired, {
    user_id: row.user_id,
    seller_account_uid: row.seller_account_uid,
    token_epoch: row.token_epoch,
    grant_gone: grantGone,
  })
  if (!marked) return
  services.log.warn(
    { user_id: row.user_id, seller_account: row.seller_account_uid, platform: row.platform, grant_gone: grantGone },
    'a connection needs its seller to sign in again',
  )
  await runHooks('lost', services, queries, row)
}

/** What is thrown for a shop that only its seller can bring back. */
export function reconnect(platform: OAuthSlug, cause?: unknown): PlatformError {
  return new PlatformError(platform, 'reconnect', 'the seller has to connect the shop again', { cause })
}
