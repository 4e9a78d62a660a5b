import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { problem } from '#server/http/errors.ts'
import { PlatformError } from '#server/platforms/errors.ts'
import type { ListingChoice } from '#server/platforms/port.ts'
import { inLane } from '#server/platforms/quota/index.ts'
import type { Services } from '#server/services.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { completeOptions, suggestedOf } from './complete-options.ts'
import { findTarget, requireShop } from './prerequisites.ts'
import { externalKeyOf, findPublishable, publishRequest } from './publish-request.ts'

/** A choice as the seller sees it: what is taken when they say nothing stands beside it. */
export interface OfferedChoice extends ListingChoice {
  default_id: string | null
}

/**
 * What can be chosen for an item on a platform (decisions 8), with the platform's suggestions and the seller's defaults.
 * Nothing where only the seller can list. Throws 404, 400 as for listing, `reconnect_required`, `platform_failed`.
 */
export async function readChoices(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
  seller_account_uid?: string,
): Promise<OfferedChoice[]> {
  const { item, platform } = await findTarget(services.db, user_id, params)
  if (platform.capabilities.list !== 'api') return []
  const shop = await requireShop(services, user_id, platform.slug, seller_account_uid)
  const intent = {
    user_id,
    item_uid: item.uid,
    platform: platform.slug as OAuthSlug,
    external_key: externalKeyOf(item.uid, item.sku),
    seller_account_uid: shop.uid,
    listing_id: null,
    sent_ms_ago: null,
    price_minor: Math.max(item.price_minor, 1),
    currency: item.currency,
  }
  const publishable = await findPublishable({ services, intent })
  if (!publishable) throw problem('not_found')
  if (!publishable.address) throw problem('address_required')
  const defaults = publishable.defaults ?? {}
  const request = publishRequest(intent, publishable, completeOptions({}, defaults, []).options)
  const choices = await askPlatform(services, { user_id, seller_account_uid: shop.uid }, request)
  return choices.map((choice) => ({ ...choice, default_id: defaultOf(choice, defaults) }))
}

function defaultOf(choice: ListingChoice, defaults: Record<string, unknown> & { aspects?: Record<string, string[]> }) {
  const remembered = choice.option.startsWith('aspects.')
    ? defaults.aspects?.[choice.option.slice('aspects.'.length)]?.[0]
    : defaults[choice.option]
  return typeof remembered === 'string' ? remembered : suggestedOf(choice)
}

async function askPlatform(
  services: Services,
  owner: { user_id: number; seller_account_uid: string },
  request: ReturnType<typeof publishRequest>,
): Promise<ListingChoice[]> {
  try {
    return await inLane('list', () =>
      withShopAccess(services, owner, (access, adapter) => {
        if (!adapter.listings) throw problem('platform_not_configured')
        return adapter.listings.choices(access, request)
      }),
    )
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    const code = error.failure === 'reconnect' ? 'reconnect_required' : 'platform_failed'
    throw problem(code, error.message, { cause: error })
  }
}
