import { sql } from '#server/infra/db/index.ts'
import type { ConnectionHook } from '#server/services.ts'

const readNewShop = sql(import.meta.url, './sql/read-new-shop.sql')

/** Makes the orders of a shop due as soon as it is connected; planning readings would add it up to 30 seconds later. */
export const scheduleFirstReading: ConnectionHook = async ({ platforms, config }, tx, shop) => {
  if (!platforms.get(shop.platform)?.orders) return
  await tx.none(readNewShop, { ...shop, fastest_seconds: config.ORDER_POLL_SECONDS })
}
