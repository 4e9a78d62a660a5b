import { conditionIds, type EbayCondition } from '#server/integrations/ebay/condition.ts'
import { categoryOf } from '../categories.ts'
import type { FakeOffer } from '../offers.ts'
import { member, text } from './body.ts'
import type { Body, SellingDesk } from './operation.ts'

/** The listing that an offer makes. */
export function listingOf(shop: SellingDesk, offer: FakeOffer) {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const price = member(member(offer.details, 'pricingSummary'), 'price')
  const category = categoryOf(text(offer.details.categoryId))
  const imageUrls = Array.isArray(product.imageUrls) ? product.imageUrls.map(text) : []
  const condition = text(item.condition)
  return {
    title: text(product.title),
    description: text(offer.details.listingDescription) || text(product.description),
    sku: offer.sku,
    price: text(price.value),
    currency: text(price.currency),
    pictures: imageUrls.length,
    imageUrls,
    conditionId: Number(conditionIds[condition as EbayCondition] ?? 3000),
    conditionName:
      category?.conditions.find(({ id }) => String(id) === conditionIds[condition as EbayCondition])?.name ?? 'Used',
    conditionNotes: text(item.conditionDescription) || null,
    category: { id: Number(category?.id ?? 1), name: (category?.path ?? []).join(':') },
    specifics: Object.entries(member(product, 'aspects')).map(([name, values]) => ({
      name,
      values: Array.isArray(values) ? values.map(text) : [],
    })),
  }
}

/** What is changed about an offer changes its live listing. */
export function revise(shop: SellingDesk, offer: FakeOffer): void {
  if (offer.listingId && isActive(shop, offer)) shop.desk.world.change(offer.listingId, listingOf(shop, offer))
}

export function isActive(shop: SellingDesk, offer: FakeOffer, lagMs = 0): boolean {
  return offer.listingId !== null && shop.desk.world.seen(offer.listingId, lagMs)?.item.status === 'Active'
}

/** An offer as it is read. */
export function shown(shop: SellingDesk, offer: FakeOffer): Body {
  const listed = offer.listingId !== null
  const status = isActive(shop, offer, shop.desk.lag?.ms ?? 0) ? 'ACTIVE' : 'ENDED'
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
