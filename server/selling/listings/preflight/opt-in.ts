import { notFound } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { findPlatform } from '#shared/platforms.ts'
import { callShop } from './call-shop.ts'
import { requireShop } from './prerequisites.ts'

/**
 * Opts the seller's account in to what listing needs: business policies at eBay. Throws 404 for an unknown platform,
 * `connection_required`, `reconnect_required`, `platform_failed`.
 */
export async function optInToPolicies(
  services: Services,
  asked: { user_id: number; slug: string; seller_account_uid?: string | undefined },
): Promise<'requested' | 'not_needed'> {
  const platform = findPlatform(asked.slug)
  if (!platform) throw notFound()
  if (platform.capabilities.list !== 'api') return 'not_needed'
  const { uid } = await requireShop(services, asked.user_id, platform.slug, asked.seller_account_uid)
  return callShop(services, { user_id: asked.user_id, seller_account_uid: uid }, async (port, access) => {
    if (!port.optIn) return 'not_needed'
    await port.optIn(access)
    return 'requested'
  })
}
