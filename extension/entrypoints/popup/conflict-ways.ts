import type { Listing } from '#shared/listing.ts'
import type { Comparison } from '../../messages/protocol.ts'

type WayLabel = `conflict.${
  | 'link'
  | 'link_as_it_is'
  | 'link_down'
  | 'link_on_offer'
  | 'overwrite'
  | 'overwrite_down'
  | 'sold'}`

/** A way to join a listing with the item that it is compared to. */
export interface Way {
  resolution: 'link_existing' | 'overwrite'
  label: WayLabel
}

export interface Ways {
  /** The one that is most likely right; null: there is no item to join it with. */
  main: Way | null
  other: Way | null
}

/**
 * What the seller can do with both sides of a conflict, in words that say what comes of it. Where one side is sold the thing
 * is gone, so the main way takes it off sale: linking a sold listing leaves the item on offer, and it would sell twice.
 */
export function waysOf({ listing, mine }: Comparison): Ways {
  if (!mine) return { main: null, other: null }
  const { state } = mine.record.lifecycle
  if (listing?.state === 'sold' && state !== 'sold') {
    const kept = state === 'available' ? 'conflict.link_on_offer' : 'conflict.link_as_it_is'
    return { main: overwriting('conflict.sold'), other: linking(kept) }
  }
  if (listing && isOnOffer(listing) && state === 'sold') {
    return { main: linking('conflict.link_down'), other: overwriting('conflict.overwrite_down') }
  }
  return { main: linking('conflict.link'), other: overwriting('conflict.overwrite') }
}

/** Whether a listing can still sell: what comes down when it is joined with an item that is sold. */
export function isOnOffer({ state, quantity }: Pick<Listing, 'state' | 'quantity'>): boolean {
  return (state === 'available' || state === 'reserved') && quantity !== 0
}

const linking = (label: WayLabel): Way => ({ resolution: 'link_existing', label })
const overwriting = (label: WayLabel): Way => ({ resolution: 'overwrite', label })
