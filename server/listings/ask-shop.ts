import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { problem } from '#server/http/errors.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import type { ListingPort, ShopAccess } from '#server/platforms/port.ts'
import { inLane } from '#server/platforms/quota/index.ts'
import type { Services } from '#server/services.ts'

/** Asks a platform something for a seller who waits. Throws `reconnect_required`, `platform_failed`, `platform_not_configured`. */
export async function askShop<Answer>(
  services: Services,
  owner: { user_id: number; seller_account_uid: string },
  ask: (port: ListingPort, access: ShopAccess) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await inLane('list', () =>
      withShopAccess(services, owner, (access, adapter) => {
        if (!adapter.listings) throw problem('platform_not_configured')
        return ask(adapter.listings, access)
      }),
    )
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const code = error.failure === 'reconnect' ? 'reconnect_required' : 'platform_failed'
    throw problem(code, error.message, { cause: error })
  }
}
