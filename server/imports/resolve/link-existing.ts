import { type Queries, sql } from '#server/db/index.ts'
import type { Services } from '#server/services.ts'
import { attachListing, type ConflictRow, contentOf, lockTargetItem } from './conflict-row.ts'

const touch = sql(import.meta.url, './sql/touch-item.sql')

/** "The same thing: link them." The item keeps what it says and has one listing more. */
export async function linkExisting(
  services: Services,
  tx: Queries,
  { user_id }: { user_id: number },
  row: ConflictRow,
  targetUid: string,
): Promise<string> {
  const { uid } = await lockTargetItem(tx, user_id, targetUid)
  await attachListing(tx, user_id, row, await contentOf(services, tx, user_id, row, uid), uid)
  await tx.none(touch, { user_id, uid })
  return uid
}
