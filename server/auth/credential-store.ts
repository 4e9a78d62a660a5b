import { type Database, sql } from '#server/db/index.ts'
import type { BearerPrincipal, CredentialStore, KeyPrincipal } from '#server/http/authenticate.ts'

const findBearer = sql(import.meta.url, './sql/find-bearer.sql')
const findApiKey = sql(import.meta.url, './sql/find-api-key.sql')

/** Credentials by their hash, straight from the database: a credential that has ended is never answered from memory. */
export function databaseCredentials(db: Database): CredentialStore {
  return {
    async findBearer(tokenHash) {
      const row = await db.oneOrNone<{ user_id: number }>(findBearer, { token_hash: tokenHash })
      return row && ({ kind: 'bearer', user_id: row.user_id, token_hash: tokenHash } satisfies BearerPrincipal)
    },
    async findApiKey(keyHash) {
      const row = await db.oneOrNone<Omit<KeyPrincipal, 'kind'>>(findApiKey, { key_hash: keyHash })
      return row && { kind: 'api_key', ...row }
    },
  }
}
