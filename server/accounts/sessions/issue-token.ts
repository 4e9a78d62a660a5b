import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { networkOf, type SessionOrigin } from './origin.ts'
import * as sql from './queries.ts'
import { recordDevice } from './record-device.ts'

/**
 * Opens a session of an active account and returns its bearer token; null if the account is not active. Writes the mail
 * about a new device in the caller's transaction. `verifiedAt`: the last authentication, now by default.
 */
export async function issueToken(
  services: Services,
  queries: Queries,
  userId: number,
  origin: SessionOrigin & { verifiedAt?: string },
): Promise<string | null> {
  const token = newSecret('hpxt')
  const row = await queries.oneOrNone(
    sql.insertToken({
      user_id: userId,
      token_hash: hashSecret(token),
      method: origin.method,
      address: networkOf(origin.address),
      user_agent: origin.userAgent,
      verified_at: origin.verifiedAt ?? null,
    }),
  )
  if (!row) return null
  await recordDevice(services, queries, userId, origin)
  return token
}

/** Ends the session of a bearer token. */
export async function endToken(queries: Queries, token: { user_id: number; token_hash: Buffer }): Promise<void> {
  await queries.none(sql.deleteToken({ user_id: token.user_id, token_hash: token.token_hash }))
}
