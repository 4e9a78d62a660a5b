// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns the items that the rows of a file are about: by uid, by SKU, or made by such a row. Merged items are not in the
 * inventory, and only the row that made one still means it. */
export const findKnown = statement<{ user_id: number | null; uids: readonly (string | null)[] | null; skus: readonly (string | null)[] | null; file_rows: readonly (string | null)[] | null }, { uid: string; sku: string | null; file_row: string | null; redirect_uid: string | null }>(
  'catalog/inventory-files/findKnown',
  ['user_id', 'uids', 'skus', 'file_rows'],
  `select uid, sku, file_row, redirect_uid
from inventory_item
where user_id = $1
  and (
    redirect_uid is null and (uid = any($2::text[]) or sku = any($3::text[]))
    or file_row = any($4::text[])
  )`,
)

/** Locks items until the transaction ends, in the order of their ids, so that two of us do not block each other. */
export const lockItems = statement<{ user_id: number | null; uids: readonly (string | null)[] | null }, { uid: string }>(
  'catalog/inventory-files/lockItems',
  ['user_id', 'uids'],
  `select uid
from inventory_item
where user_id = $1 and uid = any($2::text[])
order by uid
for update`,
)
