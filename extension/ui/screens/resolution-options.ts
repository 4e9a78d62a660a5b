import type { Comparison } from '#extension/messaging/protocol.ts'
import type { Listing } from '#shared/listing.ts'

type OptionLabel = `conflict.${
  | 'down'
  | 'keep_as_it_is'
  | 'keep_on_offer'
  | 'keep_price'
  | 'link'
  | 'link_as_it_is'
  | 'link_down'
  | 'link_on_offer'
  | 'overwrite'
  | 'overwrite_down'
  | 'overwrite_sold'
  | 'same_sold'
  | 'sold'
  | 'take_over'}`

/** A way to join a listing with the item that it is compared to. */
export interface ResolutionOption {
  resolution: 'link_existing' | 'overwrite'
  label: OptionLabel
}

export interface ResolutionOptions {
  /** The one that is most likely right; null: there is no item to join it with. */
  main: ResolutionOption | null
  other: ResolutionOption | null
  /** Whether it can become an item of its own: a listing that has an item can not. */
  twoThings: boolean
}

/**
 * What the seller can do with both sides of a conflict, in words that say what comes of it. Where one side is sold the thing
 * is gone, so the main way takes it off sale: linking a listing that was read as sold leaves the item on offer, and it would
 * sell twice. One that has sold since it was read sells the item however they are joined.
 */
export function resolutionOptions({ item, listing, since, mine }: Comparison): ResolutionOptions {
  if (!mine) return { main: null, other: null, twoThings: true }
  // Ids of two platforms look different enough for one item's few listings.
  const isLinked = mine.listings?.some(({ listing_id }) => listing_id === item.external_listing_id) ?? false
  const twoThings = !isLinked
  const { state } = mine.record.lifecycle
  if (since === 'sold' && state !== 'sold' && !isLinked) {
    return { main: link('conflict.same_sold'), other: overwrite('conflict.overwrite_sold'), twoThings }
  }
  if (listing?.state === 'sold' && state !== 'sold') {
    const onOffer = isLinked ? 'conflict.keep_on_offer' : 'conflict.link_on_offer'
    const asItIs = isLinked ? 'conflict.keep_as_it_is' : 'conflict.link_as_it_is'
    return { main: overwrite('conflict.sold'), other: link(state === 'available' ? onOffer : asItIs), twoThings }
  }
  if (listing && isOnOffer(listing) && state === 'sold') {
    const main = link(isLinked ? 'conflict.down' : 'conflict.link_down')
    return { main, other: overwrite('conflict.overwrite_down'), twoThings }
  }
  if (item.conflict_type === 'price_mismatch') {
    return { main: link('conflict.keep_price'), other: overwrite('conflict.take_over'), twoThings }
  }
  return { main: link('conflict.link'), other: overwrite('conflict.overwrite'), twoThings }
}

/** Whether a listing can still sell: what comes down when it is joined with an item that is sold. */
export function isOnOffer({ state, quantity }: Pick<Listing, 'state' | 'quantity'>): boolean {
  return (state === 'available' || state === 'reserved') && quantity !== 0
}

const link = (label: OptionLabel): ResolutionOption => ({ resolution: 'link_existing', label })
const overwrite = (label: OptionLabel): ResolutionOption => ({ resolution: 'overwrite', label })
