import { createHash } from 'node:crypto'
import { cleanLine, cleanText, httpUri } from '#server/catalog/inventory/clean.ts'
import type { DifferenceField } from '#shared/contract/catalog/differences.ts'
import type { Listing } from '#shared/listing.ts'
import { plainText } from '#shared/plain-text.ts'
import type { Money } from '#shared/price-change.ts'
import type { FieldValue } from './field-value.ts'

/** The values of a listing, as an item would take them. */
export interface ListingValues {
  title: string
  /** Null: it was not read. */
  description: string | null
  photos: string[]
  /** Null: the price of an auction is no price of the seller's. */
  price: Money | null
}

/** An item's values, with what is known of its listing. */
export interface Comparable {
  title: string
  description: string
  /** Where copied photos came from, else the photos. */
  photos: string[]
  /** The item's price on the platform. */
  price: Money
  /** The listing's price as it was last read, agreed or sent. */
  listingPrice: Money
  /** The item was imported from this listing. */
  is_source: boolean
  /** Hapax made this listing. */
  is_own: boolean
  stored: Partial<Record<DifferenceField, { hash: string; state: 'open' | 'ignored' | 'same' }>>
  /** Fields of listings that Hapax is sending. */
  sent: readonly string[]
  /** Returns the title as Hapax sends it to the platform. */
  titleThere: (title: string) => string
}

/** The change of a stored difference. Without a state, the difference is gone. */
interface FieldOutcome {
  field: DifferenceField
  theirs?: FieldValue
  theirs_hash?: string
  state?: 'open' | 'ignored' | 'same'
}

/** Returns the values of a found listing. */
export function valuesOfListing(found: Listing): ListingValues {
  const description = cleanText(found.description)
  return {
    title: cleanLine(found.title),
    description: description === '' && found.details_unread ? null : description,
    photos: found.images.flatMap((image) => httpUri(image) ?? []),
    price: found.format === 'auction' ? null : { price_minor: found.price_minor, currency: found.currency },
  }
}

/**
 * Compares a listing with its item, field by field. Returns what changes in the stored differences, nothing for fields
 * that are as they were. `unlikeState`: `ignored` if the seller knows both values. Pure.
 */
export function compareListing(
  theirs: ListingValues,
  mine: Comparable,
  unlikeState: 'open' | 'ignored' = 'open',
): FieldOutcome[] {
  const fields = ['title', 'description', 'price', 'photos'] as const
  return fields.flatMap((field) => {
    const value = theirs[field]
    const isSent = mine.sent.includes(field === 'photos' ? 'images' : field)
    return value === null || isSent ? [] : compareField(field, value, mine, unlikeState)
  })
}

function compareField(
  field: keyof ListingValues,
  theirs: FieldValue,
  mine: Comparable,
  unlikeState: 'open' | 'ignored',
): FieldOutcome[] {
  const stored = mine.stored[field]
  if (isAlike(field, theirs, mine)) return stored && stored.state !== 'same' ? [{ field }] : []
  const theirs_hash = hashOf(field, theirs)
  const isBaseline = stored ? stored.state === 'same' && stored.hash === '' : isFirstReading(field, theirs, mine)
  if (isBaseline) return [{ field, theirs, theirs_hash, state: 'same' }]
  if (!stored && field === 'price' && hashOf(field, mine.listingPrice) === theirs_hash) return []
  const isKnown = stored?.hash === theirs_hash && (unlikeState === 'open' || stored.state !== 'open')
  return isKnown ? [] : [{ field, theirs, theirs_hash, state: unlikeState }]
}

/**
 * Returns whether an unlike value is what later readings are compared with. Platforms keep photos at addresses of their
 * own, and have their form of a description that Hapax sent.
 */
function isFirstReading(field: keyof ListingValues, theirs: FieldValue, mine: Comparable): boolean {
  if (mine.is_source) return false
  if (field === 'photos') return true
  if (!mine.is_own) return false
  // Sell forms cut long titles.
  return field === 'description' || (field === 'title' && mine.title.startsWith(String(theirs)) && theirs !== '')
}

function isAlike(field: keyof ListingValues, theirs: FieldValue, mine: Comparable): boolean {
  const hash = hashOf(field, theirs)
  if (field === 'title' && hash === hashOf(field, mine.titleThere(mine.title))) return true
  return hash === hashOf(field, mine[field])
}

/** Returns a digest of a value that ignores how it is written: white space, markup. */
export function hashOf(field: DifferenceField, value: FieldValue): string {
  return createHash('md5').update(normalized(field, value)).digest('hex')
}

function normalized(field: DifferenceField, value: FieldValue): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'object') return `${value.price_minor} ${value.currency}`
  const text = field === 'description' ? plainText(value) : value
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
