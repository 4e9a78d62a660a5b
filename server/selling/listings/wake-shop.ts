import { sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/notices.ts'
import type { ConnectionHook } from '#server/services.ts'
import { intentChannel, listingChannel } from './intents.ts'

const wakeIntents = sql(import.meta.url, './sql/wake-shop.sql')

/** Operations that waited for a shop go on as soon as the seller has connected it again. */
export const wakeShop: ConnectionHook = async (_services, queries, shop) => {
  await queries.none(wakeIntents, shop)
  for (const channel of [intentChannel, listingChannel]) notify(queries, channel)
}
