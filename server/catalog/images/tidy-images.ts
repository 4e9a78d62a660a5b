import type { Database } from '#server/infra/db/index.ts'
import type { ImageStore } from '#server/infra/image-store/image-store.ts'
import * as sql from './queries.ts'

/** Removes images that no item used for a week. Accounts are looked through once a day. */
export async function removeExpiredImages(db: Database, signal?: AbortSignal): Promise<void> {
  for (const { user_id } of await db.any(sql.listUsersWithImages())) {
    if (signal?.aborted) return
    await db.none(sql.markUsed({ user_id }))
  }
  while (!signal?.aborted) {
    const { rowCount } = await db.result(sql.removeExpired())
    if (!rowCount) return
  }
}

/** Removes the files of removed images. After a failure of the storage, the next run continues. */
export async function removeImageFiles(db: Database, store: ImageStore, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const uids = (await db.any(sql.listRemoved())).map(({ uid }: { uid: string }) => uid)
    if (uids.length === 0) return
    for (const uid of uids) await store.remove(uid)
    await db.none(sql.forgetRemoved({ uids }))
  }
}
