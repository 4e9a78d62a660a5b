import type { Comparison } from '#extension/messaging/protocol.ts'
import { listingsOf, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { conditionInWords } from '#shared/item/condition-words.ts'
import type { Listing } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { platformOf } from '#shared/platforms.ts'
import { moneyText } from '../common/format.ts'
import { isOnOffer } from './resolution-options.ts'
import { text } from './words.ts'

interface CompareRow {
  name: 'title' | 'state' | 'price' | 'sku' | 'condition' | 'size' | 'brand' | 'live'
  theirs: string | null
  mine: string | null
  differs: boolean
}

/**
 * Returns both sides of a conflict row by row, without rows that are empty on both. `platform`: the listing's platform
 * by name.
 */
export function compareRows({ item, listing, since, mine }: Comparison, platform: string): CompareRow[] {
  const record = mine?.record
  const rows: Omit<CompareRow, 'differs'>[] = [
    { name: 'title', theirs: item.listing_title || null, mine: record?.title ?? null },
    {
      name: 'state',
      theirs: listing && stateText(listing),
      mine: record ? text(`state.${record.lifecycle.state}`) : null,
    },
    {
      name: 'price',
      theirs: priceText(item.listing_price, listing, mine),
      mine: record ? moneyText(record.offer.price_minor, record.offer.currency) : null,
    },
    { name: 'sku', theirs: item.external_sku || null, mine: mine?.sku ?? null },
    { name: 'condition', theirs: said(listing?.condition), mine: said(record?.condition.label) },
    { name: 'size', theirs: listing?.size ?? null, mine: mine?.attributes.size ?? null },
    { name: 'brand', theirs: listing?.brand ?? null, mine: mine?.attributes.brand ?? null },
    { name: 'live', theirs: liveThere(listing, since, platform), mine: mine && liveOn(mine) },
  ]
  return rows
    .filter((row) => row.theirs !== null || row.mine !== null)
    .map((row) => ({
      ...row,
      // A value known on one side only is no difference, nor is where it is live.
      differs: row.name !== 'live' && row.theirs !== null && row.mine !== null && row.theirs !== row.mine,
    }))
}

/** Uses the words for items, so that both sides read the same. */
function stateText(listing: Listing): string {
  if (listing.state === 'sold') return text('state.sold')
  if (!isOnOffer(listing)) return text('state.withdrawn')
  return text(listing.state === 'reserved' ? 'state.reserved' : 'state.available')
}

const said = (condition: string | undefined) => (condition === undefined ? null : conditionInWords(condition))

/** The listing is live where it was read, unless it has ended since. */
function liveThere(listing: Listing | null, since: Comparison['since'], platform: string): string | null {
  if (!listing) return null
  return isOnOffer({ ...listing, state: since ?? listing.state }) ? platform : text('conflict.nowhere')
}

function liveOn(mine: InventoryItem): string {
  const names = livePlatforms({ listings: listingsOf(mine) }).map((slug) => platformOf(slug).name)
  return names.join(', ') || text('conflict.nowhere')
}

/** Import items have a price without currency. Take it from the cached listing, else from the compared item. */
function priceText(price: string | null, listing: Comparison['listing'], mine: Comparison['mine']): string | null {
  if (listing) return moneyText(listing.price_minor, listing.currency)
  if (price === null) return null
  const offer = mine?.record.offer
  const same = offer && decimalFromMinor(offer.price_minor, offer.currency) === price
  return same ? moneyText(offer.price_minor, offer.currency) : price
}
