import type { ConnectionHook } from '#server/services.ts'
import * as sql from './queries.ts'

/** Makes a shop's orders due as soon as it is connected, up to 30 seconds before planning would. */
export const scheduleFirstReading: ConnectionHook = async ({ platforms, config }, tx, shop) => {
  if (!platforms.get(shop.platform)?.orders) return
  await tx.none(sql.readNewShop({ ...shop, fastest_seconds: config.ORDER_POLL_SECONDS }))
}
