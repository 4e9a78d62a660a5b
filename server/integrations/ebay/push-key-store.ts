import { type Database, sql } from '#server/infra/db/index.ts'

const readKeys = sql(import.meta.url, './sql/read-push-keys.sql')
const keepKey = sql(import.meta.url, './sql/store-push-key.sql')
const forgetKey = sql(import.meta.url, './sql/delete-push-key.sql')

/** A key of eBay's as it is stored. */
export interface StoredPushKey {
  kid: string
  /** PEM, or its base64 alone. */
  public_key: string
  digest: 'sha1' | 'sha256'
}

/** The keys that eBay gave out, for all processes and across restarts. */
export interface PushKeyStore {
  /** `age_ms`: since eBay gave the key out. */
  readAll(): Promise<(StoredPushKey & { age_ms: number })[]>
  keep(key: StoredPushKey): Promise<void>
  forget(kid: string): Promise<void>
}

export function createPushKeyStore(db: Database): PushKeyStore {
  return {
    readAll: () => db.any(readKeys),
    async keep(key) {
      await db.none(keepKey, key)
    },
    async forget(kid) {
      await db.none(forgetKey, { kid })
    },
  }
}
