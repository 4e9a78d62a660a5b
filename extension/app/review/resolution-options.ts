import type { Comparison } from '#extension/messaging/protocol.ts'
import type { Listing } from '#shared/listing.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

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

/** One way to join a listing with the compared item. */
export interface ResolutionOption {
  resolution: 'link_existing' | 'overwrite'
  label: OptionLabel
}

interface ResolutionOptions {
  /** The likely right option, or null if there is no item to join. */
  main: ResolutionOption | null
  other: ResolutionOption | null
  /** Whether the listing may become its own item. A listing that belongs to an item may not. */
  canSeparate: boolean
  /** The item has another live listing on this platform, so these are two items. Keeping both is the likely right option. */
  isTwin?: boolean
}

/**
 * Returns what the seller can do about a conflict, labeled by its effect. If one side is sold, the main option ends the
 * other: linking a listing that was read as sold leaves the item for sale, and it could sell twice. A listing that sold
 * after it was read marks the item sold either way.
 */
export function resolutionOptions(
  { item, listing, since, mine }: Comparison,
  platform: PlatformSlug | null,
): ResolutionOptions {
  if (!mine) return { main: null, other: null, canSeparate: true }
  // Ids of different platforms do not collide within one item's few listings.
  const isLinked = mine.listings?.some(({ listing_id }) => listing_id === item.external_listing_id) ?? false
  const canSeparate = !isLinked
  const { state } = mine.record.lifecycle
  if (since === 'sold' && state !== 'sold' && !isLinked) {
    return { main: link('conflict.same_sold'), other: overwrite('conflict.overwrite_sold'), canSeparate }
  }
  if (listing?.state === 'sold' && state !== 'sold') {
    const onOffer = isLinked ? 'conflict.keep_on_offer' : 'conflict.link_on_offer'
    const asItIs = isLinked ? 'conflict.keep_as_it_is' : 'conflict.link_as_it_is'
    return { main: overwrite('conflict.sold'), other: link(state === 'available' ? onOffer : asItIs), canSeparate }
  }
  if (listing && isOnOffer(listing) && state === 'sold') {
    const main = link(isLinked ? 'conflict.down' : 'conflict.link_down')
    return { main, other: overwrite('conflict.overwrite_down'), canSeparate }
  }
  if (
    canSeparate &&
    (!listing || isOnOffer(listing)) &&
    since !== 'sold' &&
    since !== 'removed' &&
    isLiveOn(mine, platform)
  ) {
    return { main: link('conflict.link'), other: overwrite('conflict.overwrite'), canSeparate, isTwin: true }
  }
  if (item.conflict_type === 'price_mismatch') {
    return { main: link('conflict.keep_price'), other: overwrite('conflict.take_over'), canSeparate }
  }
  return { main: link('conflict.link'), other: overwrite('conflict.overwrite'), canSeparate }
}

const isLiveOn = ({ listings = [] }: NonNullable<Comparison['mine']>, platform: PlatformSlug | null) =>
  listings.some((one) => one.platform === platform && (one.state === 'available' || one.state === 'reserved'))

/** Returns true if the listing can still sell. */
export function isOnOffer({ state, quantity }: Pick<Listing, 'state' | 'quantity'>): boolean {
  return (state === 'available' || state === 'reserved') && quantity !== 0
}

const link = (label: OptionLabel): ResolutionOption => ({ resolution: 'link_existing', label })
const overwrite = (label: OptionLabel): ResolutionOption => ({ resolution: 'overwrite', label })
