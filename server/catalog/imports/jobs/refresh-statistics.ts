import type { Services } from '#server/services.ts'

/**
 * Updates the planner's statistics after bulk writes instead of waiting for autovacuum: row counts and the columns that
 * queries filter by. Wide columns take four fifths of the time and are left to autovacuum, which ignores this partial
 * run.
 */
export async function refreshStatistics({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.none(`analyze
    inventory_item (user_id, uid, sku, product_id, state, updated_at),
    channel_listing (user_id, seller_account_uid, listing_id, item_uid, platform, state),
    import_item (user_id, job_uid, uid, external_listing_id, status)`)
}

/**
 * Returns a function to call after each stored page with its row count. Stale statistics say that the seller has hardly
 * any rows, so queries would read all of them and each page would take longer. Statistics are renewed at 1,000 rows and
 * at every sixteenfold.
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
