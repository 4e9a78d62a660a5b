import { categoryOf } from '../categories.ts'
import { conditionIdOf } from '../conditions.ts'
import type { SandboxOffer } from '../offers.ts'
import { member, text } from './body.ts'
import type { Body, SellingContext } from './operation.ts'

/** Returns the item that an offer publishes. */
export function listingOf(shop: SellingContext, offer: SandboxOffer) {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const price = member(member(offer.details, 'pricingSummary'), 'price')
  const category = categoryOf(text(offer.details.categoryId))
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
    conditionNotes: text(item.conditionDescription) || null,
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

export function isActive(shop: SellingContext, offer: SandboxOffer, lagMs = 0): boolean {
  return offer.listingId !== null && shop.market.seen(offer.listingId, lagMs)?.item.status === 'Active'
}

/** Returns an offer as the API shows it. */
export function shown(shop: SellingContext, offer: SandboxOffer): Body {
  const listed = offer.listingId !== null
  const status = isActive(shop, offer, shop.lag?.ms ?? 0) ? 'ACTIVE' : 'ENDED'
  return {
    offerId: offer.offerId,
    sku: offer.sku,
    marketplaceId: offer.marketplaceId,
    format: offer.format,
    ...offer.details,
    status: listed ? 'PUBLISHED' : 'UNPUBLISHED',
    ...(listed ? { listing: { listingId: offer.listingId, listingStatus: status, soldQuantity: 0 } } : {}),
  }
}
