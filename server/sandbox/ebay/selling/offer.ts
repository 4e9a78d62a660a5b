import { json, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { takesNoNotes } from '../conditions.ts'
import { member, text, unknownMember } from './body.ts'
import { fault, invalidValue, noContent, offerGone, userError } from './faults.ts'
import { isActive, listingOf, revise, revisionFault, shown } from './listing.ts'
import type { Body, Operation, SellingContext } from './operation.ts'
import { publishFault } from './publish-fault.ts'
import { isMarketplace } from './sites.ts'

/** Offers and their prices. */
export const offerOperations: Operation[] = [
  {
    id: 'createOffer',
    method: 'POST',
    pattern: /^\/sell\/inventory\/v1\/offer$/,
    scope: 'sell.inventory',
    needsLanguage: true,
    answer(shop, { seller, body }) {
      const { sku, marketplaceId, format, ...details } = body
      if (!text(sku) || !shop.offers.item(seller, text(sku))) {
        return fault(400, 25702, `${text(sku)} could not be found or is not available in the system.`)
      }
      if (!isMarketplace(text(marketplaceId))) return invalidValue('marketplaceId')
      if (text(format) !== 'FIXED_PRICE') return invalidValue('format')
      const wrong = offerFault(details)
      if (wrong) return wrong
      const twin = shop.offers
        .offersOf(seller, text(sku))
        .find((offer) => offer.marketplaceId === marketplaceId && offer.format === format)
      // eBay answers in the site's language, with the offer among the parameters.
      if (twin) return userError('Angebotseinheit existiert bereits.', [{ name: 'offerId', value: twin.offerId }])
      const offer = shop.offers.putOffer({
        seller,
        sku: text(sku),
        marketplaceId: text(marketplaceId),
        format: text(format),
        details,
        listingId: null,
      })
      return json({ offerId: offer.offerId, warnings: [] }, 201)
    },
  },
  {
    id: 'getOffers',
    method: 'GET',
    pattern: /^\/sell\/inventory\/v1\/offer$/,
    scope: 'sell.inventory',
    answer(shop, { request, seller }) {
      const sku = request.query.get('sku')
      if (!sku) return fault(400, 25706, 'sku is needed.')
      const found = shop.offers.offersOf(seller, sku, shop.lag?.ms)
      if (found.length === 0) return offerGone(sku)
      return json({ total: found.length, size: found.length, limit: 100, offers: found.map((one) => shown(shop, one)) })
    },
  },
  {
    id: 'getOffer',
    method: 'GET',
    pattern: /^\/sell\/inventory\/v1\/offer\/(?<offerId>[^/]+)$/,
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.seen(offerId, shop.lag?.ms ?? 0)
      return offer?.seller === seller ? json(shown(shop, offer)) : offerGone(offerId)
    },
  },
  {
    id: 'updateOffer',
    method: 'PUT',
    pattern: /^\/sell\/inventory\/v1\/offer\/(?<offerId>[^/]+)$/,
    scope: 'sell.inventory',
    needsLanguage: true,
    answer(shop, { seller, parts: { offerId = '' }, body }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      const wrong = offerFault(body)
      if (wrong) return wrong
      const bound = revisionFault(shop, offer)
      if (bound) return fault(400, bound.errorId, bound.message)
      const changed = { ...offer, details: body }
      const refused = offer.listingId && isActive(shop, offer) ? publishFault(shop, changed) : null
      if (refused) return refused
      revise(shop, shop.offers.putOffer(changed))
      return noContent
    },
  },
  {
    id: 'publishOffer',
    method: 'POST',
    pattern: /^\/sell\/inventory\/v1\/offer\/(?<offerId>[^/]+)\/publish$/,
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      if (isActive(shop, offer)) return userError('The offer is already published.')
      const refused = publishFault(shop, offer)
      if (refused) return refused
      const item = shop.market.add(seller, listingOf(shop, offer))
      shop.offers.putOffer({ ...offer, listingId: item.itemId })
      const { condition, conditionDescription } = shop.offers.item(seller, offer.sku) ?? {}
      const dropped = conditionDescription !== undefined && takesNoNotes(text(condition))
      const message = 'conditionDescription is not applicable for the condition and has been dropped'
      const warnings = dropped ? [{ errorId: 25030, domain: 'API_INVENTORY', category: 'REQUEST', message }] : []
      return json({ listingId: item.itemId, warnings })
    },
  },
  {
    id: 'withdrawOffer',
    method: 'POST',
    pattern: /^\/sell\/inventory\/v1\/offer\/(?<offerId>[^/]+)\/withdraw$/,
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller || !offer.listingId) return offerGone(offerId)
      if (isActive(shop, offer)) shop.market.end(offer.listingId)
      shop.offers.putOffer({ ...offer, listingId: null })
      return json({ listingId: offer.listingId, warnings: [] })
    },
  },
  {
    id: 'deleteOffer',
    method: 'DELETE',
    pattern: /^\/sell\/inventory\/v1\/offer\/(?<offerId>[^/]+)$/,
    scope: 'sell.inventory',
    answer(shop, { seller, parts: { offerId = '' } }) {
      const offer = shop.offers.offer(offerId)
      if (offer?.seller !== seller) return offerGone(offerId)
      // Deleting a published offer ends its listing.
      if (offer.listingId && isActive(shop, offer)) shop.market.end(offer.listingId)
      shop.offers.removeOffer(offerId)
      return noContent
    },
  },
  {
    id: 'bulkUpdatePriceQuantity',
    method: 'POST',
    pattern: /^\/sell\/inventory\/v1\/bulk_update_price_quantity$/,
    scope: 'sell.inventory',
    answer(shop, { seller, body }) {
      const requests = Array.isArray(body.requests) ? (body.requests as Body[]) : []
      if (requests.length < 1 || requests.length > 25) return invalidValue('requests')
      return json({ responses: requests.flatMap((one) => changePrices(shop, seller, one)) })
    },
  },
]

const offerMembers = [
  ...['availableQuantity', 'categoryId', 'listingDescription', 'listingDuration', 'listingPolicies'],
  ...['merchantLocationKey', 'pricingSummary', 'quantityLimitPerBuyer', 'storeCategoryNames', 'tax', 'lotSize'],
  ...['includeCatalogProductDetails', 'hideBuyerDetails', 'secondaryCategoryId', 'regulatory'],
  ...['charity', 'extendedProducerResponsibility', 'listingStartDate'],
]

/** Returns the fault in an offer's form; null for an offer that can be stored. */
function offerFault(details: Body): SandboxResponse | null {
  const wrong = unknownMember(details, offerMembers)
  if (wrong) return invalidValue(wrong)
  const { donationPercentage } = member(details, 'charity')
  if (details.charity !== undefined && !/^(100|[1-9][05])$/.test(text(donationPercentage))) {
    return invalidValue('donationPercentage')
  }
  const start = details.listingStartDate
  if (start !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text(start))) {
    return fault(400, 25752, 'listingStartDate provided is invalid.')
  }
  return null
}

function changePrices(shop: SellingContext, seller: string, request: Body): Body[] {
  const offers = Array.isArray(request.offers) ? (request.offers as Body[]) : []
  return offers.map((change) => {
    const offer = shop.offers.offer(text(change.offerId))
    const answer = { offerId: change.offerId, sku: request.sku }
    // Prices of unpublished offers are not changed by this call.
    if (!offer || offer.seller !== seller || offer.sku !== request.sku || offer.listingId === null) {
      const message = `This Offer is not available : ${text(change.offerId)}.`
      return {
        ...answer,
        statusCode: 404,
        errors: [{ errorId: 25713, domain: 'API_INVENTORY', category: 'REQUEST', message }],
      }
    }
    const bound = revisionFault(shop, offer)
    if (bound) {
      const errorId = bound.errorId === 25097 ? 25759 : bound.errorId
      return {
        ...answer,
        statusCode: 400,
        errors: [{ errorId, domain: 'API_INVENTORY', category: 'REQUEST', message: bound.message }],
      }
    }
    const price = member(change, 'price')
    if (!/^\d{1,9}(\.\d{1,3})?$/.test(text(price.value)) || !/[1-9]/.test(text(price.value))) {
      const message = 'Invalid price.'
      return {
        ...answer,
        statusCode: 400,
        errors: [{ errorId: 25003, domain: 'API_INVENTORY', category: 'REQUEST', message }],
      }
    }
    const pricingSummary = { ...member(offer.details, 'pricingSummary'), price }
    revise(shop, shop.offers.putOffer({ ...offer, details: { ...offer.details, pricingSummary } }))
    return { ...answer, statusCode: 200, warnings: [] }
  })
}
