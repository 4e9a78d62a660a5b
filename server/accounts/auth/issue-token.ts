import { hashSecret, newSecret } from '#server/http/credentials.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { networkOf, type SessionOrigin } from './sessions/origin.ts'
import { recordDevice } from './sessions/record-device.ts'

const insertToken = sql(import.meta.url, './sql/insert-token.sql')

/**
 * Opens a session of an active account and answers its bearer token; null when the account is not active. In a transaction:
 * a mail about a new device is written in it. `verifiedAt`: when its holder last proved who they are, unless just now.
 */
export async function issueToken(
  services: Services,
  queries: Queries,
  userId: number,
  origin: SessionOrigin & { verifiedAt?: string },
): Promise<string | null> {
  const token = newSecret('hpxt')
  const row = await queries.oneOrNone(insertToken, {
    user_id: userId,
    token_hash: hashSecret(token),
    method: origin.method,
    address: networkOf(origin.address),
    user_agent: origin.userAgent,
    verified_at: origin.verifiedAt ?? null,
  })
  if (!row) return null
  await recordDevice(services, queries, userId, origin)
  return token
}
