import type { ContentField, ListingContent, ShopAccess } from '#server/integrations/port.ts'
import { ebayDescription, maxListingDescription, maxProductDescription } from '../description.ts'
import { languageOf, languagesOf } from '../marketplaces.ts'
import type { Rest } from '../rest.ts'
import { cut } from './cut.ts'
import { maxTitle } from './findings.ts'
import { pictureUrls } from './listing-body.ts'
import { StoredItem } from './offer-wire.ts'
import type { Offer, OfferPrice, Offers } from './offers.ts'

interface Content extends ListingContent {
  fields: readonly ContentField[]
}

/**
 * Changes the content of a listing of the Inventory API. eBay replaces the whole inventory item and the whole offer, so
 * both are read and sent back with the changes. The quantity stays as read: a sold item must not come back.
 */
export async function updateOwnContent(
  { rest, offers }: { rest: Rest; offers: Offers },
  access: ShopAccess,
  { sku, offer, price }: { sku: string; offer: Offer; price: OfferPrice | null },
  content: Content,
): Promise<void> {
  const call = {
    accessToken: access.accessToken,
    signal: access.signal,
    language: languageOf(offer.marketplaceId),
    call: 'the inventory item',
    path: `/sell/inventory/v1/inventory_item/${encodeURIComponent(sku)}`,
  }
  const stored = StoredItem.parse(await rest({ ...call, method: 'GET', schema: StoredItem }))
  const language = storedLanguage(stored, offer)
  await rest({ ...call, language, method: 'PUT', body: withContent(stored, content) })
  if (content.fields.includes('description')) {
    const listingDescription = ebayDescription(content.description, content.title, maxListingDescription)
    await offers.changeDescription(access, offer, { listingDescription, price, language })
  }
}

/** Returns the language that an item is in, which a site with two languages would change without a word. */
function storedLanguage({ locale }: StoredItem, { marketplaceId = '' }: Offer): string {
  const stored = locale?.replace('_', '-')
  return languagesOf(marketplaceId).find((language) => language === stored) ?? languageOf(marketplaceId)
}

/** Returns an inventory item with other content, without the members that only reads have. */
function withContent(item: StoredItem, { fields, ...content }: Content): object {
  const { sku: _sku, locale: _locale, groupIds: _groups, inventoryItemGroupKeys: _keys, ...kept } = item
  const { allocationByFormat: _allocation, ...atHome } = item.availability?.shipToLocationAvailability ?? {}
  return {
    ...kept,
    ...(item.availability ? { availability: { ...item.availability, shipToLocationAvailability: atHome } } : {}),
    product: {
      ...item.product,
      ...(fields.includes('title') ? { title: cut(content.title, maxTitle) } : {}),
      ...(fields.includes('description')
        ? { description: ebayDescription(content.description, content.title, maxProductDescription) }
        : {}),
      ...(fields.includes('images') ? { imageUrls: pictureUrls(content.images) } : {}),
    },
  }
}
