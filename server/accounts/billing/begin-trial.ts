import { limitSubject } from '#server/accounts/auth/account-keys.ts'
import type { Config } from '#server/config.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

const beginTrial = sql(import.meta.url, './sql/begin-trial.sql')

/**
 * Records, in the transaction that connects a shop, when the shop was first connected to any account. A trial lasts from
 * then, so new accounts do not give the same shop new trials. Shops that only the extension names do not count: anybody
 * could name them.
 */
export async function beginTrialOf(
  config: Config,
  queries: Queries,
  userId: number,
  shop: { platform: OAuthSlug; external_id: string },
): Promise<void> {
  const shop_hash = limitSubject(config, `trial ${shop.platform} ${shop.external_id}`)
  await queries.none(beginTrial, { user_id: userId, shop_hash })
}
