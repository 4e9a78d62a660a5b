import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { buildRecord, recordFault } from '#server/catalog/inventory/build-record.ts'
import { cleanLine } from '#server/catalog/inventory/clean.ts'
import type { ChannelListing, ItemContent } from '#server/catalog/inventory/content.ts'
import { isLive, type ListingSource, readListing } from '#server/catalog/inventory/read-listing.ts'
import type { ConflictType } from '#shared/contract/imports.ts'
import type { Attributes } from '#shared/contract/inventory.ts'
import type { Availability } from '#shared/inventory-record.ts'
import type { ImportErrorCode, Listing, ListingFailure } from '#shared/listing.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'

/** What an import item becomes (decisions 6). */
export type Decision =
  | { status: 'imported'; item_uid: string; content: ItemContent }
  | { status: 'skipped'; details: string | null; kept?: Skip }
  | { status: 'conflict'; conflict_type: ConflictType; conflict_details: string; existing_item_uid: string | null }
  | { status: 'failed'; error_code: ImportErrorCode; error_message: string }

/** An item of the seller's, as far as a decision asks. */
export interface KnownItem {
  uid: string
  title: string
  state: Availability
}

/** A listing of this seller account that has an item already. */
export interface KnownListing extends Pick<ChannelListing, 'price_minor' | 'currency'> {
  /** As what we hold the listing. */
  state: Listing['state']
  /** As it was last kept; the item's own may be another. */
  sku: string | null
  item: KnownItem & {
    sku: string | null
    images: string[]
    description_md5: string
    condition_label: string
    attributes: Attributes
  }
}

/** An item of another platform that looks like the listing, and why (the matcher). */
export interface LookAlike {
  item: KnownItem
  verdict: 'surely' | 'possibly'
  reasons: string[]
}

/** An item that we listed on this shop ourselves, or are about to. */
export interface PutUp {
  item: KnownItem
  /** The listing is still being put up. */
  is_open: boolean
}

/** A conflict that the seller skipped in an earlier import of the same shop, and the listing as it was then. */
export interface Skip {
  found: Listing | ListingFailure
  conflict_type: ConflictType
  conflict_details: string | null
  conflict_item_uid: string | null
  resolution: 'skip' | 'skip_all'
}

/** What stands in the inventory already, for one listing. */
export interface Existing {
  listing: KnownListing | null
  sku: KnownItem | null
  lookAlikes: readonly LookAlike[]
  putUp: PutUp | null
  skip: Skip | null
}

export interface DecisionContext extends ListingSource {
  platform: PlatformSlug
  public_url: string
  /** The seller keeps every item by its SKU (settings): a listing without one is a question. */
  sku_required: boolean
}

/**
 * What becomes of a found listing. Pure: pulled and scraped listings, imports and previews all meet here. What cannot be
 * kept fails; what is there already is skipped, with what differs; what needs the seller is a conflict, unless the seller
 * skipped just this one before; the rest is imported as the item `item_uid`.
 */
export function decide(
  found: Listing | ListingFailure,
  existing: Existing,
  context: DecisionContext,
  item_uid: string,
): Decision {
  const decision = judge(found, existing, context, item_uid)
  const { skip } = existing
  return decision.status === 'conflict' && skip && isAsSkipped(decision, found, skip)
    ? { status: 'skipped', details: skip.conflict_details, kept: skip }
    : decision
}

/** The same question about the same listing: whoever answered it once need not answer it at every import. */
function isAsSkipped(
  decision: Decision & { status: 'conflict' },
  found: Listing | ListingFailure,
  skip: Skip,
): boolean {
  return (
    decision.conflict_type === skip.conflict_type &&
    decision.conflict_details === skip.conflict_details &&
    decision.existing_item_uid === skip.conflict_item_uid &&
    // What was stored has been through JSON.
    isDeepStrictEqual(JSON.parse(JSON.stringify(found)), skip.found)
  )
}

function judge(
  found: Listing | ListingFailure,
  existing: Existing,
  context: DecisionContext,
  item_uid: string,
): Decision {
  if ('error_code' in found) return failed(found.error_code, failureText(found))
  const content = readListing(found, context, item_uid)
  if ('error_code' in content) return { status: 'failed', ...content }
  if (existing.listing) return decideKnown(found, content, existing.listing, existing.putUp)
  // Whoever puts it up records it with its item; made an item of its own it would be there twice.
  if (existing.putUp?.is_open) {
    return { status: 'skipped', details: `It is being listed from here, as ${named(existing.putUp.item)}.` }
  }

  const fault = faultOfRecord(content, context, item_uid)
  if (fault) return failed('record_invalid', fault)
  return findConflict(found, content, existing, context) ?? { status: 'imported', item_uid, content }
}

/** A listing that is ours already: nothing is overwritten, what differs is said. */
function decideKnown(found: Listing, content: ItemContent, known: KnownListing, putUp: PutUp | null): Decision {
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
    // A listing of ours has the marketplace's own form of the description.
    putUp || item.description_md5 === md5(content.description) ? null : 'description',
    JSON.stringify(item.images) === JSON.stringify(content.images) ? null : 'pictures',
    [known.sku, item.sku].includes(content.sku) ? null : 'SKU',
    // What we put up says these in the platform's words and by its choices, from the first reading on.
    ...(putUp ? [] : differingTraits(item, content, found.details_unread ? [] : traits)),
    isLive(found) || soldThere || item.state === 'withdrawn' ? null : 'no longer live there',
    isBack(found, known) ? 'live there again' : null,
  ].filter((name) => name !== null)
  return {
    status: 'skipped',
    details: differing.length > 0 ? `Already imported; different now: ${differing.join(', ')}.` : null,
  }
}

const traits = ['brand', 'size', 'colors'] as const

/** `read`: the traits that the listing was read with. */
function differingTraits(
  item: KnownListing['item'],
  content: ItemContent,
  read: readonly (typeof traits)[number][],
): string[] {
  const others = read.filter((trait) => !isDeepStrictEqual(item.attributes[trait], content.attributes[trait]))
  return [...(item.condition_label === content.condition_label ? [] : ['condition']), ...others]
}

/** Whether buyers can buy it there again, while we hold it for down. */
export function isBack(found: Listing | ListingFailure, known: KnownListing | null): boolean {
  return known !== null && !('error_code' in found) && isLive(found) && ['removed', 'sold'].includes(known.state)
}

function findConflict(
  found: Listing,
  content: ItemContent,
  existing: Existing,
  context: DecisionContext,
): Decision | null {
  const same = existing.putUp?.item ?? existing.sku
  if (same) {
    if (same.state === 'sold' && isLive(found)) return soldElsewhere(same, false)
    if (same.state !== 'sold' && found.state === 'sold') return soldElsewhere(same, true)
    if (existing.putUp) {
      return conflict(
        'possible_duplicate',
        `It was listed from here, as ${named(same)}, and is not linked to it.`,
        same,
      )
    }
    return conflict('duplicate_sku', `The SKU "${content.sku}" belongs to ${named(same)} already.`, same)
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
    )
  }
  return null
}

/** What an import item shows of its listing (spec 2.7), whatever becomes of it. */
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

const conflict = (conflict_type: ConflictType, conflict_details: string, item: KnownItem | null): Decision => ({
  status: 'conflict',
  conflict_type,
  conflict_details,
  existing_item_uid: item?.uid ?? null,
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

/** Name of a platform for sentences. */
export const platformName = (slug: PlatformSlug) => platformOf(slug).name
