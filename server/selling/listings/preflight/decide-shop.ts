import { type HttpProblem, invalidField, problem } from '#server/infra/errors.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

export interface Shop {
  uid: string
  status: 'connected' | 'reconnect_required'
}

/**
 * Chooses the shop to list in: the named one, else the only working one. Returns a problem when there is
 * none: `connection_required`, `seller_account_required` or `reconnect_required`. Pure.
 */
export function decideShop(
  platform: PlatformSlug,
  shops: readonly Shop[],
  named: string | undefined,
): Shop | HttpProblem {
  const { name } = platformOf(platform)
  if (shops.length === 0) return problem('connection_required', `Connect ${name} first.`)
  const working = shops.filter(({ status }) => status === 'connected')
  const candidates =
    named === undefined ? (working.length > 0 ? working : shops) : shops.filter(({ uid }) => uid === named)
  const [shop, second] = candidates
  if (!shop) return invalidField('seller_account_uid', 'unknown', `is not one of your shops on ${name}`)
  if (second) {
    return problem('seller_account_required', `Several shops on ${name} are connected. Name one as seller_account_uid.`)
  }
  if (shop.status !== 'connected') return problem('reconnect_required', `Connect your shop on ${name} again.`)
  return shop
}
