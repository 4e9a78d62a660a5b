import type { Listing } from '#shared/listing.ts'
import type { ContentField, ListingContent, LiveState, PublishRequest } from './port.ts'

/** Fields that are compared with what was sent. `details`: item specifics, materials, who made it and when. */
const sentFields = [
  'title',
  'description',
  'price',
  'photos',
  'quantity',
  'condition',
  'category',
  'sku',
  'details',
] as const
type SentField = (typeof sentFields)[number]

/** The content of a listing as it was sent. */
export interface SentListing {
  content: ListingContent
  /** The content that was sent. */
  fields: readonly ContentField[]
  /** Null if no price was sent. */
  price: { price_minor: number; currency: string } | null
  /** All of a new listing; null for a change of a live one. */
  request: PublishRequest | null
  /** The platform's ids of the pictures of a new listing in their order, where it named them. */
  photo_ids?: readonly string[] | undefined
}

/** A field that a platform keeps otherwise than it was sent. */
interface SilentChange {
  field: SentField
  sent: string
  theirs: string
}

/** A listing that was read after it was sent. */
export interface ReadBack {
  state: LiveState
  /** Null where it is not live, or cannot be read as a whole. */
  listing: Listing | null
  compared: readonly SentField[]
  changes: readonly SilentChange[]
}

/** A detail as it was sent and as it is there. `name` tells several details of one field apart. */
export interface Pair {
  field: SentField
  name?: string
  sent: string
  theirs: string
}

/**
 * Returns what was compared, and the fields in which a platform keeps something else. White space is no difference, and
 * neither is the case of details.
 */
export function comparePairs(pairs: readonly Pair[]): Pick<ReadBack, 'compared' | 'changes'> {
  const unlike = pairs.filter(({ field, sent, theirs }) => {
    const [ours, other] = [normal(sent), normal(theirs)]
    return field === 'details' ? ours.toLowerCase() !== other.toLowerCase() : ours !== other
  })
  const changes = [...Map.groupBy(unlike, ({ field }) => field)].map(([field, own]) => ({
    field,
    sent: own.map(({ name, sent }) => textOf(name, sent)).join('; '),
    theirs: own.map(({ name, theirs }) => textOf(name, theirs)).join('; '),
  }))
  return { compared: [...new Set(pairs.map(({ field }) => field))], changes }
}

const normal = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()
const textOf = (name: string | undefined, value: string) => (name ? `${name}: ${value || '–'}` : value)

/** Returns a list, whose order means nothing, as one text. */
export const unordered = (words: readonly string[]) =>
  words
    .map(normal)
    .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    .join(', ')
