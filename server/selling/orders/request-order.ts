import type { Config } from '#server/config.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { notify } from '#server/infra/db/pubsub.ts'
import { traceparentToKeep } from '#server/infra/span.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import * as sql from './queries.ts'
import { orderFetchChannel } from './worker.ts'

/**
 * Requests that an order is fetched now from each connected shop of a seller, as a push does; without its id, that the
 * shops are read now. Runs in the caller's transaction. Returns whether there is a shop.
 */
export async function requestOrder(
  tx: Queries,
  config: Pick<Config, 'ORDER_POLL_SECONDS'>,
  order: { user_id: number; platform: OAuthSlug; external_order_id: string | null },
): Promise<boolean> {
  const { user_id, platform, external_order_id } = order
  const shops = await tx.any(sql.listConnectedShops({ user_id, platform }))
  for (const { seller_account_uid } of shops) {
    const shop = { user_id, platform, seller_account_uid }
    if (external_order_id === null) {
      await tx.none(sql.readNewShop({ ...shop, fastest_seconds: config.ORDER_POLL_SECONDS }))
    } else {
      const request = { ...shop, external_order_id, external_line_id: '', traceparent: traceparentToKeep() }
      await tx.none(sql.requestFetch(request))
    }
  }
  if (shops.length > 0) notify(tx, orderFetchChannel)
  return shops.length > 0
}

/** Returns whether a seller's orders on a marketplace are read by its API. */
export async function areOrdersRead(
  queries: Queries,
  place: { user_id: number; platform: OAuthSlug },
): Promise<boolean> {
  return (await queries.any(sql.listConnectedShops(place))).length > 0
}
