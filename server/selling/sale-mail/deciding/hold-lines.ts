import type { Queries } from '#server/infra/db/index.ts'
import { type SoldListing, saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { RecordedLine } from '#server/selling/sales/sale-context.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import * as sql from '../queries.ts'
import type { HintLine } from '../reading/hint.ts'
import { type ListingRow, matchLine } from './match-line.ts'

/** A mail whose sale is believed. */
export interface BelievedMail {
  user_id: number
  platform: PlatformSlug
  /** When the marketplace wrote it (ISO). */
  sent_at: string
  /** When it arrived (ISO). */
  received_at: string
}

type Listing = Pick<ListingRow, 'listing_id' | 'seller_account_uid' | 'item_uid' | 'price_minor' | 'currency'>

export interface HeldLine {
  line: HintLine
  outcome: 'held' | 'ambiguous' | 'unmatched' | 'ignored'
  /** The listing that it holds. */
  listing_id: string | null
  /** The item that it holds, or those that it may be about. */
  item_uids: string[]
}

/** Finds the listing of a line, and holds its item if there is one only, in the caller's transaction. */
export async function holdLine(tx: Queries, mail: BelievedMail, line: HintLine): Promise<HeldLine> {
  const found = matchLine(line, await findListings(tx, mail, line))
  const item_uids = [...new Set(found.map(({ item_uid }) => item_uid))]
  const [listing] = found
  if (!listing) return { line, outcome: 'unmatched', listing_id: null, item_uids: [] }
  if (item_uids.length > 1) return { line, outcome: 'ambiguous', listing_id: null, item_uids: item_uids.slice(0, 20) }
  return { line, ...(await holdListing(tx, mail, { ...listing, ...priceOf(line) })) }
}

/** Holds the item of a listing, as any report of its sale that says not yet who pays, in the caller's transaction. */
export async function holdListing(
  tx: Queries,
  mail: BelievedMail,
  listing: Listing,
): Promise<Pick<HeldLine, 'outcome' | 'listing_id' | 'item_uids'>> {
  const { state } = await record(tx, mail, listing, 'pending')
  const outcome = state === 'unmatched' ? 'unmatched' : state === 'cancelled' ? 'ignored' : 'held'
  return { outcome, listing_id: listing.listing_id, item_uids: outcome === 'unmatched' ? [] : [listing.item_uid] }
}

/**
 * Frees the item of a listing, as any report that its sale was cancelled, in the caller's transaction. Returns whether
 * that changed anything.
 */
export async function freeListing(tx: Queries, mail: BelievedMail, listing: Listing): Promise<boolean> {
  return (await record(tx, mail, listing, 'cancelled')).outcome === 'freed'
}

async function record(
  tx: Queries,
  { user_id, platform, sent_at, received_at }: BelievedMail,
  { listing_id, seller_account_uid, price_minor, currency }: Listing,
  status: SoldListing['status'],
): Promise<RecordedLine> {
  const listing = { listing_id, seller_account_uid, price_minor, currency, platform }
  const { order } = saleOfListing({ ...listing, observed_at: sent_at, status, by: 'mail' })
  const { lines } = await recordSaleIn(tx, user_id, { order, evidence: { by: 'mail', seen_at: received_at } })
  return lines[0]!
}

function findListings(tx: Queries, { user_id, platform }: BelievedMail, line: HintLine) {
  const { listing_id, sku, title, isCut } = line
  return tx.any(sql.findListings({ user_id, platform, listing_id, sku, title: title ?? '', is_cut: isCut }))
}

/** The price of the mail, where it tells one: it may be an accepted offer's. */
const priceOf = ({ price_minor, currency }: HintLine) =>
  price_minor === null || currency === null ? {} : { price_minor, currency }
