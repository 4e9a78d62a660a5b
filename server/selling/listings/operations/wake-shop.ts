import { notify } from '#server/infra/db/pubsub.ts'
import type { ConnectionHook } from '#server/services.ts'
import { delistChannel, listingChannel } from '../operation.ts'
import * as sql from './queries.ts'

/** Wakes operations that waited for a shop when the seller has connected it again. */
export const wakeShop: ConnectionHook = async (_services, queries, shop) => {
  await queries.none(sql.wakeShop(shop))
  for (const channel of [delistChannel, listingChannel]) notify(queries, channel)
}
