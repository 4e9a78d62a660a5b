import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { buildRecord, recordFault } from '#server/catalog/inventory/build-record.ts'
import { cleanLine } from '#server/catalog/inventory/clean.ts'
import type { ChannelListing, ItemContent } from '#server/catalog/inventory/content.ts'
import { isLive, type ListingSource, readListing } from '#server/catalog/inventory/read-listing.ts'
import type { ConflictType, Match } from '#shared/contract/catalog/imports.ts'
import type { Attributes } from '#shared/contract/catalog/inventory.ts'
import type { ImportErrorCode, Listing, ListingFailure } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { matchOfLookAlikes, matchOfSku } from '../matching/certainty.ts'
import type { KnownItem, LookAlike } from '../matching/look-alike.ts'

/** The outcome of an import item. */
export type Decision =
  | { status: 'imported'; item_uid: string; content: ItemContent }
  | { status: 'skipped'; details: string | null; kept?: Skip }
  | {
      status: 'conflict'
      conflict_type: ConflictType
      conflict_details: string
      existing_item_uid: string | null
      match: Match | null
    }
  | { status: 'failed'; error_code: ImportErrorCode; error_message: string }

/** A listing of this seller account that has an item. */
export interface KnownListing extends Pick<ChannelListing, 'price_minor' | 'currency'> {
  /** The listing's state in our records. */
  state: Listing['state']
  /** SKU of the listing; the item's own may differ. */
  sku: string | null
  item: KnownItem & {
    sku: string | null
    images: string[]
    description_md5: string
    condition_label: string
    attributes: Attributes
  }
}

/** An item that we listed in this shop ourselves, or are about to. */
export interface OwnListing {
  item: KnownItem
  /** The listing is being published. */
  is_open: boolean
}

/** A conflict that the seller skipped in an earlier import, with the listing as it was then. */
export interface Skip {
  found: Listing | ListingFailure
  conflict_type: ConflictType
  conflict_details: string | null
  conflict_item_uid: string | null
  resolution: 'skip' | 'skip_all'
}

/** The inventory's knowledge of one listing. */
export interface Existing {
  listing: KnownListing | null
  sku: KnownItem | null
  lookAlikes: readonly LookAlike[]
  ownListing: OwnListing | null
  skip: Skip | null
}

export interface DecisionContext extends ListingSource {
  platform: PlatformSlug
  public_url: string
  /** The seller's settings require a SKU, so a listing without one is a conflict. */
  sku_required: boolean
}

/**
 * Decides what becomes of a found listing, for pulled and scraped listings, imports and previews alike. An invalid
 * listing fails. An existing one is skipped, with its differences. A listing that needs the seller is a conflict, unless
 * the seller skipped exactly this before. The rest is imported as the item `item_uid`. Pure.
 */
export function decideListing(
  found: Listing | ListingFailure,
  existing: Existing,
  context: DecisionContext,
  item_uid: string,
): Decision {
  if ('error_code' in found) return failed(found.error_code, failureText(found))
  const content = readListing(found, context, item_uid)
  if ('error_code' in content) return { status: 'failed', ...content }
  if (existing.listing) {
    return keepSkip(decideKnown(found, content, existing.listing, existing.ownListing), found, existing.skip)
  }
  // The operation that publishes it records it too. An import would make a second item.
  if (existing.ownListing?.is_open) {
    return { status: 'skipped', details: `It is being listed from here, as ${named(existing.ownListing.item)}.` }
  }

  const fault = faultOfRecord(content, context, item_uid)
  if (fault) return failed('record_invalid', fault)
  const conflict = findConflict(found, content, existing, context)
  return conflict ? keepSkip(conflict, found, existing.skip) : { status: 'imported', item_uid, content }
}

/** Skips a conflict that the seller has skipped before, if the listing is the same as then. */
function keepSkip(decision: Decision, found: Listing, skip: Skip | null): Decision {
  const isSame =
    decision.status === 'conflict' &&
    skip !== null &&
    decision.conflict_type === skip.conflict_type &&
    decision.conflict_details === skip.conflict_details &&
    decision.existing_item_uid === skip.conflict_item_uid &&
    // The stored listing went through JSON.
    isDeepStrictEqual(withoutTerms(JSON.parse(JSON.stringify(found))), withoutTerms(skip.found))
  return isSame ? { status: 'skipped', details: skip.conflict_details, kept: skip } : decision
}

/** Returns what the seller compared: a bid or another end changes nothing about it. */
function withoutTerms(found: Listing | ListingFailure): object {
  return { ...found, terms: null }
}

/** Decides for a listing that has an item: differences are reported and nothing is overwritten. */
function decideKnown(
  found: Listing,
  content: ItemContent,
  known: KnownListing,
  ownListing: OwnListing | null,
): Decision {
  const { item } = known
  const soldThere = found.state === 'sold'
  const soldHere = item.state === 'sold'
  if (soldThere !== soldHere && (soldThere || isLive(found))) {
    return soldElsewhere(item, soldThere)
  }
  const price = { price_minor: content.price_minor, currency: content.currency }
  if (isLive(found) && found.format !== 'auction' && moneyText(price) !== moneyText(known)) {
    return conflict(
      'price_mismatch',
      `The listing's price was ${moneyText(known)} when it was last read and is ${moneyText(price)} now.`,
      item,
    )
  }
  const differing = [
    item.title === content.title ? null : 'title',
    // Our own listing has the marketplace's form of the description.
    ownListing || item.description_md5 === md5(content.description) ? null : 'description',
    JSON.stringify(item.images) === JSON.stringify(content.images) ? null : 'pictures',
    [known.sku, item.sku].includes(content.sku) ? null : 'SKU',
    // Our own listing has these in the platform's words from the start.
    ...(ownListing ? [] : differingTraits(item, content, found.details_unread ? [] : traits)),
    isLive(found) || soldThere || item.state === 'withdrawn' ? null : 'no longer live there',
    isRelisted(found, known) ? 'live there again' : null,
  ].filter((name) => name !== null)
  return {
    status: 'skipped',
    details: differing.length > 0 ? `Already imported; different now: ${differing.join(', ')}.` : null,
  }
}

const traits = ['brand', 'size', 'colors'] as const

/** `read`: the traits that were read of the listing. */
function differingTraits(
  item: KnownListing['item'],
  content: ItemContent,
  read: readonly (typeof traits)[number][],
): string[] {
  const others = read.filter((trait) => !isDeepStrictEqual(item.attributes[trait], content.attributes[trait]))
  return [...(item.condition_label === content.condition_label ? [] : ['condition']), ...others]
}

/** Returns whether buyers can buy a listing that is down in our records. */
export function isRelisted(found: Listing | ListingFailure, known: KnownListing | null): boolean {
  return known !== null && !('error_code' in found) && isLive(found) && ['removed', 'sold'].includes(known.state)
}

function findConflict(
  found: Listing,
  content: ItemContent,
  existing: Existing,
  context: DecisionContext,
): Decision | null {
  const same = existing.ownListing?.item ?? existing.sku
  if (same) {
    if (same.state === 'sold' && isLive(found)) return soldElsewhere(same, false)
    if (same.state !== 'sold' && found.state === 'sold') return soldElsewhere(same, true)
    if (existing.ownListing) {
      return conflict(
        'possible_duplicate',
        `It was listed from here, as ${named(same)}, and is not linked to it.`,
        same,
        { certainty: 'certain', reasons: ['listed_here'] },
      )
    }
    const match = matchOfSku(content.title, same, existing.lookAlikes)
    return conflict('duplicate_sku', `The SKU "${content.sku}" belongs to ${named(same)} already.`, same, match)
  }
  if ((found.quantity ?? 1) > 1) {
    return conflict(
      'quantity_above_one',
      `The listing offers ${found.quantity} pieces; an item here is one single thing.`,
      null,
    )
  }
  if (context.sku_required && content.sku === null) {
    return conflict('missing_sku', 'The listing has no SKU, and your settings ask for one.', null)
  }
  const [likest] = existing.lookAlikes
  if (likest) {
    const likeness = likest.verdict === 'surely' ? 'is surely the same as' : 'may be the same as'
    return conflict(
      'possible_duplicate',
      `It ${likeness} ${named(likest.item)}: ${likest.reasons.join(', ')}.`,
      likest.item,
      matchOfLookAlikes(existing.lookAlikes),
    )
  }
  return null
}

/** Returns what an import item shows of its listing. */
export function describeFound(found: Listing | ListingFailure): {
  listing_title: string
  external_sku: string
  listing_price: string | null
} {
  const { title, sku, price_minor, currency } = found
  const printable = Number.isSafeInteger(price_minor) && price_minor! >= 0 && /^[A-Z]{3}$/.test(currency ?? '')
  return {
    listing_title: cleanLine(title ?? '').slice(0, 500),
    external_sku: cleanLine(sku ?? ''),
    listing_price: printable ? decimalFromMinor(price_minor!, currency!) : null,
  }
}

function faultOfRecord(content: ItemContent, context: DecisionContext, uid: string): string | null {
  const item = { ...content, uid, aliases: [], redirect_uid: null, version: 1, updated_at: content.observed_at }
  return recordFault(buildRecord(item, [], context.public_url))
}

function failureText(failure: ListingFailure): string {
  const field = failure.field && !failure.error_message.includes(failure.field) ? ` (${failure.field})` : ''
  return cleanLine(`${failure.error_message}${field}`)
}

function soldElsewhere(item: KnownItem, soldThere: boolean): Decision {
  const details = soldThere
    ? `It is sold there, but ${named(item)} is ${item.state} here.`
    : `It is on offer there, but ${named(item)} is sold.`
  return conflict('sold_elsewhere', details, item)
}

const conflict = (
  conflict_type: ConflictType,
  conflict_details: string,
  item: KnownItem | null,
  match: Match | null = null,
): Decision => ({
  status: 'conflict',
  conflict_type,
  conflict_details,
  existing_item_uid: item?.uid ?? null,
  match,
})

const failed = (error_code: ImportErrorCode, error_message: string): Decision => ({
  status: 'failed',
  error_code,
  error_message,
})

const named = (item: KnownItem) => `"${item.title}" (${item.uid})`
const moneyText = (price: { price_minor: number; currency: string }) =>
  `${decimalFromMinor(price.price_minor, price.currency)} ${price.currency}`
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Returns a platform's name for messages. */
export const platformName = (slug: PlatformSlug) => platformOf(slug).name
