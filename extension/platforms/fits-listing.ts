import { type Listing, ListingState } from '#shared/listing.ts'
import { dateTimeOf } from './raw.ts'

/** Maximum text lengths, as in the listing schema. */
const texts = {
  listing_id: 200,
  url: 4_000,
  title: 10_000,
  description: 600_000,
  currency: 20,
  sku: 500,
  brand: 500,
  size: 500,
  condition: 500,
  category: 1_000,
  condition_notes: 10_000,
  seller_url: 4_000,
} as const satisfies { [Field in keyof Listing]?: number }
const textLimits = Object.entries(texts) as [keyof typeof texts, number][]
const listLimits = [
  ['images', 200, 4_000],
  ['colors', 50, 200],
] as const
const required: ReadonlySet<unknown> = new Set(['listing_id', 'url', 'title', 'description', 'currency', 'images'])
const looked: ReadonlySet<string> = new Set([
  ...Object.keys(texts),
  ...listLimits.map(([field]) => field),
  ...['price_minor', 'state', 'format', 'quantity', 'listed_at'],
])
const states: ReadonlySet<unknown> = new Set(ListingState.options)
const formats: ReadonlySet<unknown> = new Set(['fixed_price', 'auction', undefined])

/**
 * Returns true for a listing that surely passes the listing schema, at a twentieth of the cost of a full check.
 * False means unknown, so the caller runs the schema. Relies on the static type of the members.
 */
export function fitsListing(listing: Listing): boolean {
  // Unknown members need the full check.
  for (const field in listing) if (!looked.has(field) && listing[field as keyof Listing] !== undefined) return false
  for (const [field, longest] of textLimits) {
    const value = listing[field]
    if (value === undefined ? required.has(field) : typeof value !== 'string' || value.length > longest) return false
  }
  for (const [field, most, longest] of listLimits) {
    const list = listing[field]
    if (list === undefined && !required.has(field)) continue
    if (!Array.isArray(list) || list.length > most) return false
    for (const value of list) if (typeof value !== 'string' || value.length > longest) return false
  }
  return (
    listing.listing_id !== '' &&
    Number.isFinite(listing.price_minor) &&
    states.has(listing.state) &&
    formats.has(listing.format) &&
    (listing.quantity === undefined || (Number.isSafeInteger(listing.quantity) && listing.quantity >= 0)) &&
    (listing.listed_at === undefined || dateTimeOf(listing.listed_at) !== undefined)
  )
}
