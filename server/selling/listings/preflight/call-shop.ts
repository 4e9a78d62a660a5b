import { problem } from '#server/infra/errors.ts'
import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ListingPort, ShopAccess } from '#server/integrations/port.ts'
import { withPriority } from '#server/integrations/quota/index.ts'
import type { Services } from '#server/services.ts'

/**
 * Calls a platform while the seller waits. Throws `reconnect_required`, `platform_failed`, `platform_not_configured`,
 * or `unavailable` with the time to wait when the platform's quota is used up.
 */
export async function callShop<Answer>(
  services: Services,
  owner: { user_id: number; seller_account_uid: string },
  ask: (port: ListingPort, access: ShopAccess) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await withPriority('screen', () =>
      withShopAccess(services, owner, (access, adapter) => {
        if (!adapter.listings) throw problem('platform_not_configured')
        return ask(adapter.listings, access)
      }),
    )
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.failure === 'rate_limited') {
      const retryAfterSeconds = (error.retryAfterMs ?? 1_000) / 1_000
      throw problem('unavailable', error.message, { retryAfterSeconds, cause: error })
    }
    const code = error.failure === 'reconnect' ? 'reconnect_required' : 'platform_failed'
    throw problem(code, error.message, { cause: error })
  }
}
