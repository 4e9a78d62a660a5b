import { limitSubject } from '#server/accounts/auth/account-keys.ts'
import { sql } from '#server/infra/db/index.ts'
import type { ConnectedShop, ConnectionHook } from '#server/services.ts'

const beginTrial = sql(import.meta.url, './sql/begin-trial.sql')

/**
 * Records, in the transaction that connects a shop, when the shop was first connected to any account. A trial lasts from
 * then, so new accounts do not give the same shop new trials. Shops that only the extension names do not count: anybody
 * could name them.
 */
export const beginTrialOf: ConnectionHook<ConnectedShop> = async ({ config }, queries, shop) => {
  const shop_hash = limitSubject(config, `trial ${shop.platform} ${shop.external_id}`)
  await queries.none(beginTrial, { user_id: shop.user_id, shop_hash })
}
