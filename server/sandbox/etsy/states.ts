import type { ApiContext } from './api.ts'
import type { SandboxListing } from './listing.ts'

/* Changes of a listing's state on the sandbox Etsy. */

/** Returns the refusal of a change to `state`; null for none. */
export function stateFault(listing: SandboxListing, state: string): { status: number; error: string } | null {
  if (state === 'inactive') {
    if (listing.state === 'active' || listing.state === 'inactive') return null
    return { status: 409, error: `Listing in state ${listing.state} cannot be made inactive.` }
  }
  if (state !== 'active') return { status: 400, error: 'Invalid value for parameter: state' }
  if (listing.pictures === 0) return { status: 400, error: 'A listing needs an image to be published.' }
  // Listings of the built market have what every shop has.
  if (listing.shippingProfileId === null) return { status: 400, error: 'A shipping profile is required.' }
  if (listing.returnPolicyId === null) return { status: 400, error: 'A return policy is required.' }
  if (listing.uploads && listing.readinessStateId === null)
    return { status: 400, error: 'A readiness state is required.' }
  return null
}

/** Moves a listing to a state that it may have (`stateFault`). */
export function moveTo(context: ApiContext, listing: SandboxListing, state: string): SandboxListing {
  const { listingId } = listing
  if (state === 'inactive') return listing.state === 'active' ? context.market.deactivate(listingId) : listing
  switch (listing.state) {
    case 'expired':
      // Etsy answers 200 and changes nothing.
      return listing
    case 'sold_out': {
      const products = listing.products.map((product) => ({ ...product, quantity: 1 }))
      context.market.change(listingId, { products })
      return context.market.renew(listingId)
    }
    case 'draft':
      return context.market.renew(listingId)
    default:
      return context.market.activate(listingId)
  }
}
