import { type Queries, sql } from '#server/db/index.ts'
import { hashSecret, newSecret } from '#server/http/credentials.ts'

const insertToken = sql(import.meta.url, './sql/insert-token.sql')

/** A new bearer token of an active account; null when the account is not active. */
export async function issueToken(queries: Queries, userId: number): Promise<string | null> {
  const token = newSecret('hpxt')
  const row = await queries.oneOrNone(insertToken, { user_id: userId, token_hash: hashSecret(token) })
  return row && token
}
