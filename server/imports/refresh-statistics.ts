import type { Services } from '#server/services.ts'

/** After a bulk of writes the planner should know of it at once, not when autovacuum comes by. */
export async function refreshStatistics({ db }: Pick<Services, 'db'>): Promise<void> {
  await db.none('analyze inventory_item, channel_listing, import_item')
}

/**
 * For a run that stores many rows: call it after each page with how many it brought. Statistics of before the run say that
 * the seller has hardly any rows; every query by the seller is then planned to read all of them, and each page takes
 * longer than the one before. Renewed at 1,000 rows, and each time there are eight times as many.
 */
export function createStatisticsKeeper(services: Pick<Services, 'db'>): (rows: number) => Promise<void> {
  let stored = 0
  let due = 1_000
  return async (rows) => {
    stored += rows
    if (stored < due) return
    due = stored * 8
    await refreshStatistics(services)
  }
}
