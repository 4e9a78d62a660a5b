import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** Returns the owner of an item that anybody may see, and the item that it was merged into; null if there is none. */
export function findPublicItem(
  queries: Queries,
  uid: string,
): Promise<{ user_id: number; redirect_uid: string | null } | null> {
  return queries.oneOrNone(sql.findPublicItem({ uid }))
}
