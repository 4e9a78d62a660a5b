import { json, type SandboxResponse } from '../kit/http.ts'
import type { ApiContext } from './api.ts'
import { type SandboxListing, unitsLeft } from './listing.ts'

/* Changes of a listing's state on the sandbox Etsy. */

const refuse = (status: number, error: string): SandboxResponse => json({ error }, status)

/** Returns the refusal of a change to `state`; null for none. Etsy does not document the texts about a vacation. */
export function stateFault(context: ApiContext, listing: SandboxListing, state: string): SandboxResponse | null {
  if (state === 'inactive') {
    if (['active', 'inactive', 'edit'].includes(listing.state)) return null
    // As reported, although the document knows only conflicts.
    if (listing.state === 'sold_out') return refuse(400, '/quantity cannot be empty')
    return refuse(409, `Listing in state ${listing.state} cannot be made inactive.`)
  }
  if (state !== 'active') return refuse(400, 'Invalid value for parameter: state')
  const { shopId } = context.market.find(listing.listingId) ?? {}
  if (context.market.shop(shopId ?? 0)?.isOnVacation) return refuse(409, 'The shop is on vacation.')
  // As reported: the document promises that the quantity becomes 1.
  if (listing.state === 'sold_out' && unitsLeft(listing) === 0) return refuse(500, 'Server Error')
  // Listings of the built market have what every shop has.
  if (listing.shippingProfileId === null) return refuse(400, 'A shipping profile is required.')
  // Shops in the EU need none; here they are those that sell in euros.
  if (listing.returnPolicyId === null && listing.currency !== 'EUR') return refuse(400, 'A return policy is required.')
  if (listing.uploads && listing.readinessStateId === null) return refuse(400, 'A readiness state is required.')
  return null
}

/** Moves a listing to a state that it may have (`stateFault`). */
export function moveTo(context: ApiContext, listing: SandboxListing, state: string): SandboxListing {
  const { listingId } = listing
  if (state === 'inactive') return listing.state === 'inactive' ? listing : context.market.deactivate(listingId)
  switch (listing.state) {
    case 'expired':
      // Etsy answers 200 and changes nothing.
      return listing
    case 'sold_out':
    case 'draft':
      return context.market.renew(listingId)
    default:
      return context.market.activate(listingId)
  }
}

/** Returns the refusal of a deletion in a state that Etsy does not document for it; null for none. */
export function deleteFault(context: ApiContext, listing: SandboxListing): SandboxResponse | null {
  if (['sold_out', 'draft', 'expired', 'inactive'].includes(listing.state)) return null
  const { shopId } = context.market.find(listing.listingId) ?? {}
  const isOnVacation = context.market.shop(shopId ?? 0)?.isOnVacation === true
  if (listing.state === 'active' && (unitsLeft(listing) > 0 || isOnVacation)) return null
  return refuse(409, `Listing in state ${listing.state} cannot be deleted.`)
}
