import type { FakeAnswer } from '../../../fake/answer.ts'
import { categoryOf } from '../categories.ts'
import type { FakeOffer } from '../offers.ts'
import { policiesOf } from './account.ts'
import { member, text } from './body.ts'
import { fault, userError } from './faults.ts'
import type { SellingDesk } from './operation.ts'

/** Why an offer cannot be published; null when it can. */
export function publishFault(shop: SellingDesk, offer: FakeOffer): FakeAnswer | null {
  const item = shop.offers.item(offer.seller, offer.sku) ?? {}
  const product = member(item, 'product')
  const { details } = offer
  const price = member(member(details, 'pricingSummary'), 'price')
  const policies = member(details, 'listingPolicies')
  const own = policiesOf(offer.seller, offer.marketplaceId)
  if (text(product.title) === '') return userError('The title is missing.')
  if (!Array.isArray(product.imageUrls) || product.imageUrls.length === 0) return fault(400, 25014, 'Invalid pictures.')
  const quantity = member(member(item, 'availability'), 'shipToLocationAvailability').quantity
  if (details.availableQuantity !== 1 && Number(quantity ?? 0) < 1) return fault(400, 25004, 'Invalid quantity.')
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(text(price.value)) || !/[1-9]/.test(text(price.value))) {
    return fault(400, 25003, 'Invalid price.')
  }
  const category = categoryOf(text(details.categoryId))
  if (!category) return fault(400, 25005, 'Invalid category ID.')
  if (text(details.listingDescription) === '' && text(product.description) === '')
    return fault(400, 25016, 'description')
  if (text(details.listingDuration) !== 'GTC') return fault(400, 25016, 'The listingDuration value is invalid.')
  if (!own.fulfillment.some((one) => one.fulfillmentPolicyId === policies.fulfillmentPolicyId)) {
    return fault(400, 25007, 'Invalid data in the associated Fulfillment policy.')
  }
  if (!own.payment.some((one) => one.paymentPolicyId === policies.paymentPolicyId)) {
    return fault(400, 25008, 'Invalid data in the associated Payment policy.')
  }
  if (!own.return.some((one) => one.returnPolicyId === policies.returnPolicyId)) {
    return fault(400, 25009, 'Invalid data in the associated Return policy.')
  }
  if (!shop.offers.location(offer.seller, text(details.merchantLocationKey))) {
    return userError('Location information not found.')
  }
  const aspects = member(product, 'aspects')
  const missing = category.aspects.find(({ name, required }) => required && !Array.isArray(aspects[name]))
  if (!missing) return null
  const what = `The item specific ${missing.name} is missing.`
  return userError(what, [
    { name: '0', value: what },
    { name: '1', value: `${what} Add ${missing.name} to this listing, enter a valid value, and then try again.` },
    { name: '2', value: missing.name },
  ])
}
