import { type Queries, sql } from '#server/infra/db/index.ts'

const makeDue = sql(import.meta.url, './sql/record-listings-changed.sql')

/** Has the listings of a shop compared with the marketplace's soon (reconcile-shops). */
export async function scheduleReconcile(
  queries: Queries,
  shop: { user_id: number; seller_account_uid: string },
): Promise<void> {
  await queries.none(makeDue, shop)
}
