import type { Statement } from '#server/infra/db/statement.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import { plansOf } from '#server/integrations/quota/plans.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

export interface Shop {
  user_id: number
  seller_account_uid: string
  platform: OAuthSlug
}

/** Makes the statement that claims shops. */
type Claim = (values: { limit: number; platforms: OAuthSlug[]; seconds_per_shop: number[] }) => Statement<Shop>

/** Share of a platform's daily calls for visiting its shops, at one call a shop. */
const shareOfDay = 0.3

/**
 * Visits the shops that a query claims as due. A platform's refusal is logged as `problem`, and the shop waits for its
 * next turn. Returns how many shops were due.
 */
export async function visitDueShops(
  services: Services,
  due: { claim: Claim; platforms: OAuthSlug[]; limit: number; problem: string; signal?: AbortSignal },
  visit: (shop: Shop) => Promise<void>,
): Promise<number> {
  const { claim, platforms, limit, problem, signal } = due
  const plans = plansOf(services.config)
  const seconds_per_shop = platforms.map((slug) => 86_400 / (plans[slug].perDay * shareOfDay))
  const shops = await services.db.any(claim({ limit, platforms, seconds_per_shop }))
  for (const shop of shops) {
    if (signal?.aborted) break
    await visit(shop).catch((error: unknown) => {
      if (!(error instanceof PlatformError) && !(error instanceof HttpProblem)) throw error
      services.log.info({ err: error, seller_account: shop.seller_account_uid }, problem)
    })
  }
  return shops.length
}
