import { sql } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import type { ConnectionHook } from '#server/services.ts'
import { delistChannel, listingChannel } from '../operation.ts'

const wakeOperations = sql(import.meta.url, './sql/wake-shop.sql')

/** Wakes operations that waited for a shop when the seller has connected it again. */
export const wakeShop: ConnectionHook = async (_services, queries, shop) => {
  await queries.none(wakeOperations, shop)
  for (const channel of [delistChannel, listingChannel]) notify(queries, channel)
}
