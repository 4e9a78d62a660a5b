import { type ConnectionHook, connectionHooks } from '#server/connections/hooks.ts'
import { sql } from '#server/db/index.ts'

const wakeIntents = sql(import.meta.url, './sql/wake-shop.sql')

/** What waited for a shop goes on as soon as the seller has connected it again (faults F26). */
export const wakeShop: ConnectionHook = async (_services, queries, shop) => {
  await queries.none(wakeIntents, shop)
  await queries.any('notify listing_intent')
}
connectionHooks.resumed.add(wakeShop)
