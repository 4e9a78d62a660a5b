import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import type { Choice, ListingOptions } from '#shared/contract/selling/listings.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { callShop } from './call-shop.ts'
import { completeOptions } from './complete-options.ts'
import { offerChoice } from './offer-choice.ts'
import { findTarget, requireShop } from './prerequisites.ts'
import { externalKeyOf, findPublishable, publishRequest } from './publish-request.ts'

/** Options that other choices depend on. */
export type Chosen = Pick<
  ListingOptions,
  'marketplace_id' | 'category_id' | 'taxonomy_id' | 'condition' | 'fulfillment_policy_id' | 'shipping_profile_id'
>

/**
 * Returns the choices for an item on a platform, with the platform's suggestions and the seller's
 * defaults. Empty where only the seller can list. Throws 404, 400 as for listing, `reconnect_required`,
 * `platform_failed`.
 */
export async function readChoices(
  services: Services,
  user_id: number,
  params: { uid: string; slug: string },
  { seller_account_uid, ...chosen }: Chosen & { seller_account_uid?: string },
): Promise<Choice[]> {
  const { item, platform } = await findTarget(services.db, user_id, params)
  if (platform.capabilities.list !== 'api') return []
  const shop = await requireShop(services, user_id, platform.slug, seller_account_uid)
  const operation = {
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
  const publishable = await findPublishable({ services, operation })
  if (!publishable) throw problem('not_found')
  if (!publishable.address) throw problem('address_required')
  const defaults = publishable.defaults ?? {}
  const request = publishRequest(operation, publishable, completeOptions(chosen, defaults, []).options)
  const owner = { user_id, seller_account_uid: shop.uid }
  const choices = await callShop(services, owner, (port, access) => port.choices(access, request))
  return choices.map((choice) => offerChoice(choice, defaults))
}
