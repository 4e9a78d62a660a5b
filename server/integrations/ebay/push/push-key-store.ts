import type { Database } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

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
    readAll: () => db.any(sql.readPushKeys()),
    async store(key) {
      await db.none(sql.storePushKey(key))
    },
    async delete(kid) {
      await db.none(sql.deletePushKey({ kid }))
    },
  }
}
