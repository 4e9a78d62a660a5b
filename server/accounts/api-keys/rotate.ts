import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { ApiKey } from '#shared/contract/account/api-keys.ts'
import * as sql from './queries.ts'

/**
 * Gives a key a new value and returns it; the old value ends with the commit. Throws `not_found`, and `conflict` for an
 * expired key, which a rotation must not revive.
 */
export async function rotateApiKey(
  db: Database,
  holder: RequestCredential,
  id: string,
): Promise<ApiKey & { key: string }> {
  const key = newSecret('hpxk')
  const record = await transaction(db, 'rotate-api-key', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    return tx.oneOrNone(
      sql.rotate({
        user_id: holder.user_id,
        id,
        key_hash: hashSecret(key),
        last4: key.slice(-4),
      }),
    )
  })
  if (record) return { ...record, key }
  if (await db.oneOrNone(sql.get({ user_id: holder.user_id, id }))) {
    throw problem('conflict', 'This API key has expired. Delete it and create a new one.')
  }
  throw notFound()
}
