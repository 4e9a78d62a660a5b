import type { Database } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** Removes the deliveries of deleted endpoints in small batches, until none is left or `signal` aborts. */
export async function purgeDeliveries(db: Database, signal: AbortSignal): Promise<void> {
  for (const gone of await db.any(sql.listGoneEndpoints())) {
    let after: number | null = 0
    while (after !== null && !signal.aborted) {
      after = (await db.one(sql.purgeDeliveries({ ...gone, after }))).last_id
    }
  }
}
