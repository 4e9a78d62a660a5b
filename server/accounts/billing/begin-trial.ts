import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import type { ConnectedShop, ConnectionHook } from '#server/services.ts'
import * as sql from './queries.ts'

/**
 * Records when a shop was first connected to any account, in the connecting transaction. Trials run from then, so that
 * new accounts do not renew them. Shops known only from the extension do not count, since anyone could name them.
 */
export const beginTrialOf: ConnectionHook<ConnectedShop> = async ({ config }, queries, shop) => {
  const shop_hash = limitSubject(config, `trial ${shop.platform} ${shop.external_id}`)
  await queries.none(sql.beginTrial({ user_id: shop.user_id, shop_hash }))
}
