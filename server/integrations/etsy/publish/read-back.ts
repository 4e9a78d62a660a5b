import { z } from 'zod'
import { isFailure } from '#server/integrations/errors.ts'
import type { LiveState, ShopAccess } from '#server/integrations/port.ts'
import { comparePairs, type Pair, type ReadBack, type SentListing, unordered } from '#server/integrations/read-back.ts'
import type { Listing } from '#shared/listing.ts'
import { isListingFailure } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { Etsy } from '../client.ts'
import { normalizeListing } from '../read/normalize.ts'
import { unescapeHtml } from '../text.ts'
import { WireListing } from '../wire.ts'
import { currentEra, neighbouringEras } from './era.ts'
import { maxPictures } from './findings.ts'
import { descriptionOf, detailsOf, type ListingOptions } from './listing-body.ts'
import { etsyTitle } from './listing-text.ts'
import { StoredImage } from './selling-wire.ts'

interface ReadTools {
  etsy: Etsy
  stateOf: (listing: { state: string; quantity?: number | null | undefined }) => LiveState
  /** The current year, which the values of `when_made` depend on. */
  year: number
}

const Shown = WireListing.extend({ images: z.array(StoredImage).nullish() })
type Shown = z.output<typeof Shown>

/** Reads a listing by one call, and compares it with what was sent. */
export async function readBack(
  { etsy, stateOf, year }: ReadTools,
  { accessToken, signal, shop }: ShopAccess,
  listingId: string,
  sent: SentListing,
): Promise<ReadBack> {
  const unread = { listing: null, compared: [], changes: [] }
  const path = `/listings/${encodeURIComponent(listingId)}`
  try {
    const call = { accessToken, signal, call: 'the listing', path, query: { includes: ['Images'] } }
    const raw = await etsy(call, z.looseObject({ state: z.string(), quantity: z.int().min(0).nullish() }))
    const state = stateOf(raw)
    const listing = normalizeListing(raw, { listingId, shopId: shop.external_id, sellerUrl: shop.url })
    const shown = Shown.safeParse(raw)
    if (state !== 'live' || isListingFailure(listing) || !shown.success) return { state, ...unread }
    return { state, listing, ...comparePairs(pairsOf(shown.data, listing, sent, year)) }
  } catch (error) {
    if (isFailure(error, 'not_found')) return { state: 'missing', ...unread }
    throw error
  }
}

function pairsOf(shown: Shown, listing: Listing, sent: SentListing, year: number): Pair[] {
  const { content, fields, price, request, photo_ids } = sent
  const pairs: Pair[] = []
  if (fields.includes('title')) {
    pairs.push({ field: 'title', sent: bare(etsyTitle(content.title)), theirs: bare(listing.title) })
  }
  if (fields.includes('description')) {
    pairs.push({ field: 'description', sent: bare(descriptionOf(content)), theirs: bare(listing.description) })
  }
  if (fields.includes('images')) pairs.push(photosOf(shown, content.images.slice(0, maxPictures), photo_ids))
  if (price) pairs.push({ field: 'price', sent: moneyOf(price), theirs: moneyOf(listing) })
  if (!request) return pairs
  const options = request.options as unknown as ListingOptions
  const details = detailsOf(request, options)
  return [
    ...pairs,
    { field: 'quantity', sent: '1', theirs: String(listing.quantity ?? 1) },
    { field: 'sku', sent: request.externalKey, theirs: listing.sku ?? '' },
    { field: 'category', sent: String(options.taxonomy_id), theirs: String(shown.taxonomy_id ?? '') },
    ...detailPairs(shown, details, year),
  ]
}

/** Returns a text without character references: Etsy escapes what it shows, not always once. */
const bare = (text: string) => unescapeHtml(unescapeHtml(text))

const moneyOf = ({ price_minor, currency }: { price_minor: number; currency: string }) =>
  `${decimalFromMinor(price_minor, currency)} ${currency}`

/** Compares the order of pictures where their ids are known, else their number: Etsy serves all at addresses of its own. */
function photosOf(shown: Shown, sent: readonly string[], ids: readonly string[] | undefined): Pair {
  const theirs = (shown.images ?? []).sort((one, other) => one.rank - other.rank).map((one) => one.listing_image_id)
  const isKnown = ids !== undefined && ids.length === sent.length
  return {
    field: 'photos',
    sent: isKnown ? ids.join(' ') : `${sent.length} photos`,
    theirs: isKnown ? theirs.join(' ') : `${theirs.length} photos`,
  }
}

/** Compares what Etsy has instead of a condition, and the materials. */
function detailPairs(shown: Shown, details: ReturnType<typeof detailsOf>, year: number): Pair[] {
  const era = currentEra(String(details.when_made), year)
  // Around New Year the listing may have the value of a neighboring year.
  const isSameEra = [era, ...neighbouringEras(era, year)].includes(shown.when_made ?? '')
  const materials = (text: string) => unordered(text.split(',').map(unescapeHtml))
  return [
    { field: 'details', name: 'who_made', sent: String(details.who_made), theirs: shown.who_made ?? '' },
    { field: 'details', name: 'when_made', sent: era, theirs: isSameEra ? era : (shown.when_made ?? '') },
    { field: 'details', name: 'is_supply', sent: String(details.is_supply), theirs: String(shown.is_supply ?? false) },
    ...(typeof details.materials === 'string'
      ? [
          {
            field: 'details' as const,
            name: 'materials',
            sent: materials(details.materials),
            theirs: materials((shown.materials ?? []).join(',')),
          },
        ]
      : []),
  ]
}
