import { type Queries, sql } from '#server/infra/db/index.ts'

const makeDue = sql(import.meta.url, './sql/record-listings-changed.sql')

/** Makes a shop due for comparison with its marketplace (reconcile-shops). */
export async function scheduleReconcile(
  queries: Queries,
  shop: { user_id: number; seller_account_uid: string },
): Promise<void> {
  await queries.none(makeDue, shop)
}
