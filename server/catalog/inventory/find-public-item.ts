import { type Queries, sql } from '#server/infra/db/index.ts'

const find = sql(import.meta.url, './sql/find-public-item.sql')

/** Returns the owner of an item that anybody may see, and the item that it was merged into; null if there is none. */
export function findPublicItem(
  queries: Queries,
  uid: string,
): Promise<{ user_id: number; redirect_uid: string | null } | null> {
  return queries.oneOrNone(find, { uid })
}
