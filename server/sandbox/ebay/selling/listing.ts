import { conditionIdOf, takesNoNotes } from '../conditions.ts'
import { isBound } from '../item.ts'
import type { SandboxOffer } from '../offers.ts'
import { member, text } from './body.ts'
import type { Body, SellingContext } from './operation.ts'
import { categoryOf, siteOf, sites } from './sites.ts'

/** Returns the item that an offer publishes. */
export function listingOf(shop: SellingContext, offer: SandboxOffer) {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const price = member(member(offer.details, 'pricingSummary'), 'price')
  const site = siteOf(offer.marketplaceId, text(item.locale).replace('_', '-')) ?? sites[0]!
  const category = categoryOf(site, text(offer.details.categoryId))
  const imageUrls = Array.isArray(product.imageUrls) ? product.imageUrls.map(text) : []
  const conditionId = conditionIdOf(text(item.condition)) ?? 3000
  return {
    title: text(product.title),
    description: text(offer.details.listingDescription) || text(product.description),
    sku: offer.sku,
    price: text(price.value),
    currency: text(price.currency),
    pictures: imageUrls.length,
    imageUrls,
    conditionId,
    conditionName: category?.conditions.find(({ id }) => id === conditionId)?.name ?? 'Used',
    // eBay drops the notes about a new item.
    conditionNotes: takesNoNotes(text(item.condition)) ? null : text(item.conditionDescription) || null,
    category: { id: Number(category?.id ?? 1), name: (category?.path ?? []).join(':') },
    specifics: Object.entries(member(product, 'aspects')).map(([name, values]) => ({
      name,
      values: Array.isArray(values) ? values.map(text) : [],
    })),
  }
}

/** Applies a changed offer to its live listing. */
export function revise(shop: SellingContext, offer: SandboxOffer): void {
  if (offer.listingId && isActive(shop, offer)) shop.market.change(offer.listingId, listingOf(shop, offer))
}

const itemOf = (shop: SellingContext, offer: SandboxOffer) =>
  offer.listingId === null ? undefined : shop.market.find(offer.listingId)?.item

/** Returns eBay's refusal to revise the listing of an offer now; null if it takes the change. */
export function revisionFault(shop: SellingContext, offer: SandboxOffer) {
  const item = isActive(shop, offer) ? itemOf(shop, offer) : undefined
  if (item?.onHold) {
    return {
      errorId: 25097,
      message:
        'This listing is on hold due to a policy violation, and revisions are not possible. Please check your email for more information.',
    }
  }
  if (!item || !isBound(item, shop.clock())) return null
  return {
    errorId: 25038,
    message: `${item.itemId} cannot be revised if the item has a bid or a best offer or is ending within 12 hours`,
  }
}

export function isActive(shop: SellingContext, offer: SandboxOffer, lagMs = 0): boolean {
  return offer.listingId !== null && shop.market.seen(offer.listingId, lagMs)?.item.status === 'Active'
}

/** Returns an offer as the API shows it. */
export function shown(shop: SellingContext, offer: SandboxOffer): Body {
  const listed = offer.listingId !== null
  const status = isActive(shop, offer, shop.lag?.ms ?? 0) ? 'ACTIVE' : 'ENDED'
  // Sent for a listing on hold only.
  const hold = itemOf(shop, offer)?.onHold ? { listingOnHold: true } : {}
  return {
    offerId: offer.offerId,
    sku: offer.sku,
    marketplaceId: offer.marketplaceId,
    format: offer.format,
    ...offer.details,
    status: listed ? 'PUBLISHED' : 'UNPUBLISHED',
    ...(listed ? { listing: { listingId: offer.listingId, listingStatus: status, soldQuantity: 0, ...hold } } : {}),
  }
}
