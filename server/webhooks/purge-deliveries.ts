import { type Database, sql } from '#server/infra/db/index.ts'

const listGone = sql(import.meta.url, './sql/list-gone-endpoints.sql')
const removeRows = sql(import.meta.url, './sql/purge-deliveries.sql')

/** Removes the deliveries of deleted endpoints in small batches, until none is left or `signal` aborts. */
export async function purgeDeliveries(db: Database, signal: AbortSignal): Promise<void> {
  for (const gone of await db.any<{ user_id: number; endpoint_uid: string }>(listGone)) {
    let after: number | null = 0
    while (after !== null && !signal.aborted) {
      after = (await db.one<{ last_id: number | null }>(removeRows, { ...gone, after })).last_id
    }
  }
}
