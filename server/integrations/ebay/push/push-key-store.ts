import { type Database, sql } from '#server/infra/db/index.ts'

const readKeys = sql(import.meta.url, './sql/read-push-keys.sql')
const storeKey = sql(import.meta.url, './sql/store-push-key.sql')
const deleteKey = sql(import.meta.url, './sql/delete-push-key.sql')

/** A stored key of eBay's. */
export interface StoredPushKey {
  kid: string
  /** PEM, or only its base64. */
  public_key: string
  digest: 'sha1' | 'sha256'
}

/** Stores eBay's keys for all processes and across restarts. */
export interface PushKeyStore {
  /** `age_ms` is the time since the key was fetched. */
  readAll(): Promise<(StoredPushKey & { age_ms: number })[]>
  store(key: StoredPushKey): Promise<void>
  delete(kid: string): Promise<void>
}

export function createPushKeyStore(db: Database): PushKeyStore {
  return {
    readAll: () => db.any(readKeys),
    async store(key) {
      await db.none(storeKey, key)
    },
    async delete(kid) {
      await db.none(deleteKey, { kid })
    },
  }
}
