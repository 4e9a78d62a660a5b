import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import { type Database, sql } from '#server/infra/db/index.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { ApiKey } from '#shared/contract/api-keys.ts'

const getKey = sql(import.meta.url, './sql/get.sql')
const rotateKey = sql(import.meta.url, './sql/rotate.sql')

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
  const record = await db.tx('rotate-api-key', async (tx) => {
    if (!(await reauthorize(tx, holder))) throw problem('unauthenticated')
    return tx.oneOrNone<ApiKey>(rotateKey, {
      user_id: holder.user_id,
      id,
      key_hash: hashSecret(key),
      last4: key.slice(-4),
    })
  })
  if (record) return { ...record, key }
  if (await db.oneOrNone(getKey, { user_id: holder.user_id, id })) {
    throw problem('conflict', 'This API key has expired. Delete it and create a new one.')
  }
  throw notFound()
}
