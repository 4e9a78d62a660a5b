import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** Makes a shop due for comparison with its marketplace (reconcile-shops). */
export async function scheduleReconcile(
  queries: Queries,
  shop: { user_id: number; seller_account_uid: string },
): Promise<void> {
  await queries.none(sql.recordListingsChanged(shop))
}
