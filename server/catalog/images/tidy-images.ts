import { type Database, sql } from '#server/infra/db/index.ts'
import type { ImageStore } from '#server/infra/image-store/index.ts'

const listUsers = sql(import.meta.url, './sql/list-users-with-images.sql')
const markUsed = sql(import.meta.url, './sql/mark-used.sql')
const removeExpired = sql(import.meta.url, './sql/remove-expired.sql')
const listRemoved = sql(import.meta.url, './sql/list-removed.sql')
const forgetRemoved = sql(import.meta.url, './sql/forget-removed.sql')

/** Removes images that no item used for a week. Accounts are looked through once a day. */
export async function removeExpiredImages(db: Database, signal?: AbortSignal): Promise<void> {
  for (const { user_id } of await db.any<{ user_id: number }>(listUsers)) {
    if (signal?.aborted) return
    await db.none(markUsed, { user_id })
  }
  while (!signal?.aborted) {
    const { rowCount } = await db.result(removeExpired)
    if (!rowCount) return
  }
}

/** Removes the files of removed images. After a failure of the storage, the next run continues. */
export async function removeImageFiles(db: Database, store: ImageStore, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const uids = await db.map(listRemoved, [], ({ uid }: { uid: string }) => uid)
    if (uids.length === 0) return
    for (const uid of uids) await store.remove(uid)
    await db.none(forgetRemoved, { uids })
  }
}
