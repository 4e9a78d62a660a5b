import type { Services } from '#server/services.ts'

/**
 * After a bulk of writes the planner should know of it at once, not when autovacuum comes by: how many rows there are, and
 * what stands in the columns that queries ask by. The wide ones (texts, listings as they were found, words) take four
 * fifths of the time and are left to autovacuum, which still comes, as it counts only what looks at all columns.
 */
export async function refreshStatistics({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.none(`analyze
    inventory_item (user_id, uid, sku, product_id, state, updated_at),
    channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, state),
    import_item (user_id, job_uid, uid, external_listing_id, status)`)
}

/**
 * For a run that stores many rows: call it after each page with how many it brought. Statistics of before the run say that
 * the seller has hardly any rows; every query by the seller is then planned to read all of them, and each page takes
 * longer than the one before. Renewed at 1,000 rows, and each time there are sixteen times as many.
 */
export function createStatisticsKeeper(services: Pick<Services, 'db'>): (rows: number) => Promise<void> {
  let stored = 0
  let due = 1_000
  return async (rows) => {
    stored += rows
    if (stored < due) return
    due = stored * 16
    await refreshStatistics(services)
  }
}
