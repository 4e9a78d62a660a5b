import { findAddress } from '#server/accounts/billing/address.ts'
import { notFound, problem } from '#server/infra/errors.ts'
import type { CategoryName } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import type { Choice } from '#shared/contract/selling/listings.ts'
import { findPlatform } from '#shared/platforms.ts'
import { callShop } from './call-shop.ts'
import { findDefaults } from './defaults.ts'
import { offerChoice } from './offer-choice.ts'
import { requireShop } from './prerequisites.ts'

interface Asked {
  user_id: number
  slug: string
  seller_account_uid?: string | undefined
  /** Default: the seller's own default, else the site of their country. */
  marketplace_id?: string | undefined
}

/**
 * Returns the choices that hold for everything listed on a platform, with the seller's defaults. Empty
 * where only the seller can list. Throws 404, 400 as for listing, `reconnect_required`, `platform_failed`.
 */
export async function readShopChoices(services: Services, asked: Asked): Promise<Choice[]> {
  const shop = await openShop(services, asked)
  if (!shop) return []
  const { owner, seller, defaults } = shop
  const choices = await callShop(services, owner, (port, access) => port.shopChoices(access, seller))
  return choices.map((choice) => offerChoice(choice, defaults))
}

/**
 * Searches a platform's categories and returns at most 20. Empty where only the seller can list. Throws
 * as above.
 */
export async function searchCategories(services: Services, asked: Asked & { words: string }): Promise<CategoryName[]> {
  const shop = await openShop(services, asked)
  if (!shop) return []
  const { owner, seller } = shop
  const { words } = asked
  return callShop(services, owner, (port, access) => port.searchCategories(access, { ...seller, words }))
}

/** Returns the shop and what the platform needs to know of its seller. Null where only the seller can list. */
async function openShop(services: Services, { user_id, slug, ...asked }: Asked) {
  const platform = findPlatform(slug)
  if (!platform) throw notFound()
  if (platform.capabilities.list !== 'api') return null
  const { uid } = await requireShop(services, user_id, platform.slug, asked.seller_account_uid)
  const address = await findAddress(services.db, user_id)
  if (!address) throw problem('address_required')
  const defaults = await findDefaults(services.db, user_id, slug)
  return {
    owner: { user_id, seller_account_uid: uid },
    seller: { country: address.country, marketplace_id: asked.marketplace_id ?? defaults.marketplace_id ?? null },
    defaults,
  }
}
