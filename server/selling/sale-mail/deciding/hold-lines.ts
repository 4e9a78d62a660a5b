import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { type Candidate, candidateOf } from '#server/selling/sales/ask-which-item.ts'
import { findSoldItem, type SaleMarketplace } from '#server/selling/sales/find-sold-item.ts'
import { type SoldListing, saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSaleIn } from '#server/selling/sales/record-sale.ts'
import type { RecordedLine } from '#server/selling/sales/sale-context.ts'
import { PlatformSlug } from '#shared/platforms.ts'
import type { HintLine } from '../reading/hint.ts'

/** A mail whose sale is believed. */
export interface BelievedMail {
  user_id: number
  platform: PlatformSlug
  /** When the marketplace wrote it (ISO). */
  sent_at: string
  /** When it arrived (ISO). */
  received_at: string
  /** The order on the marketplace, where it names one. */
  order_id?: string | null
}

type Listing = Pick<SoldListing, 'listing_id' | 'seller_account_uid' | 'price_minor' | 'currency'> & {
  item_uid: string
}

export interface HeldLine {
  line: HintLine
  outcome: 'held' | 'ambiguous' | 'unmatched' | 'ignored'
  /** The listing that it holds. */
  listing_id: string | null
  /** The item that it holds, or those that it may be about. */
  item_uids: string[]
  /** The items that it may be about, where the seller has to say which. */
  candidates?: Candidate[]
}

/**
 * Finds the item of a line, and holds it if it is certain, in the caller's transaction. `earlier`: the lines before it of
 * the same sale, whose items it cannot be.
 */
export async function holdLine(
  tx: Transaction,
  mail: BelievedMail,
  line: HintLine,
  earlier: readonly HeldLine[] = [],
): Promise<HeldLine> {
  const found = await findSoldItem(tx, mail, thingOf(line, mail.sent_at))
  const isTaken = (uid: string) =>
    earlier.some(({ outcome, item_uids }) => outcome === 'held' && item_uids.includes(uid))
  if (found.verdict !== 'one') {
    const candidates = found.candidates.filter(({ offer }) => !isTaken(offer.item_uid)).map(candidateOf)
    const item_uids = candidates.map(({ inventory_item_uid }) => inventory_item_uid)
    return { line, outcome: item_uids.length > 0 ? 'ambiguous' : 'unmatched', listing_id: null, item_uids, candidates }
  }
  const { item_uid, listing } = found.offer
  if (isTaken(item_uid)) return { line, outcome: 'unmatched', listing_id: null, item_uids: [] }
  // Of an item without a listing there, nobody could say which shop sold it (`identifyItem`).
  if (!listing) throw new Error(`${item_uid} has no listing on ${mail.platform}`)
  return { line, ...(await holdListing(tx, mail, { ...listing, item_uid, ...priceOf(line) })) }
}

/** Proposes the items of a line that no mail may hold. */
export async function proposeItems(tx: Queries, mail: BelievedMail, line: HintLine): Promise<HeldLine> {
  const candidates = await findCandidates(tx, mail, line)
  const item_uids = candidates.map(({ inventory_item_uid }) => inventory_item_uid)
  return { line, outcome: item_uids.length > 0 ? 'ambiguous' : 'unmatched', listing_id: null, item_uids, candidates }
}

/** Returns the items that a line may be about, without holding any. */
export async function findCandidates(
  tx: Queries,
  place: { user_id: number; platform: SaleMarketplace },
  line: HintLine,
): Promise<Candidate[]> {
  const found = await findSoldItem(tx, place, thingOf(line, null))
  if (found.verdict !== 'one') return found.candidates.map(candidateOf)
  const agrees = found.by === 'listing' ? [] : [found.by]
  return [candidateOf({ offer: found.offer, agrees, objections: [] })]
}

const thingOf = (line: HintLine, sold_at: string | null) => ({ ...line, seller_account_uid: null, sold_at })

/** Holds the item of a listing, as any report of its sale that says not yet who pays, in the caller's transaction. */
export async function holdListing(
  tx: Transaction,
  mail: BelievedMail,
  listing: Listing,
): Promise<Pick<HeldLine, 'outcome' | 'listing_id' | 'item_uids'> & { external_order_id: string }> {
  const { state, external_order_id } = await record(tx, mail, listing, 'pending')
  const outcome = state === 'unmatched' ? 'unmatched' : state === 'cancelled' ? 'ignored' : 'held'
  const item_uids = outcome === 'unmatched' ? [] : [listing.item_uid]
  return { outcome, listing_id: listing.listing_id, item_uids, external_order_id }
}

/**
 * Records an item as sold by the seller's word, on a marketplace where it has no listing, in the caller's transaction.
 * Returns the id of its order.
 */
export async function sellUnlisted(
  tx: Transaction,
  mail: {
    user_id: number
    uid: string
    marketplace: SaleMarketplace
    sent_at: string
    seen_at: string
    told_at: string
  },
  sold: { item_uid: string; price_minor: number; currency: string },
): Promise<string> {
  const { user_id, uid, marketplace, sent_at, seen_at, told_at } = mail
  const connected = PlatformSlug.safeParse(marketplace)
  const place = connected.success
    ? ({ platform: connected.data, source: 'scraped' } as const)
    : ({ platform: 'outside', source: 'outside' } as const)
  const line = {
    external_line_id: sold.item_uid,
    listing_id: '',
    sku: null,
    quantity: 1,
    status: 'paid',
    ...sold,
  } as const
  const ids = { seller_account_uid: null, external_order_id: `mail-${uid}` }
  const order = { ...place, ...ids, ordered_at: sent_at, modified_at: told_at, lines: [line] }
  await recordSaleIn(tx, user_id, { order, evidence: { by: 'seller', seen_at, note: `a mail of ${marketplace}` } })
  return ids.external_order_id
}

/**
 * Frees the item of a listing, as any report that its sale was cancelled, in the caller's transaction. Returns whether
 * that changed anything.
 */
export async function freeListing(tx: Transaction, mail: BelievedMail, listing: Listing): Promise<boolean> {
  return (await record(tx, mail, listing, 'cancelled')).outcome === 'freed'
}

async function record(
  tx: Transaction,
  { user_id, platform, sent_at, received_at }: BelievedMail,
  { listing_id, seller_account_uid, price_minor, currency }: Listing,
  status: SoldListing['status'],
): Promise<RecordedLine & { external_order_id: string }> {
  const listing = { listing_id, seller_account_uid, price_minor, currency, platform }
  const { order } = saleOfListing({ ...listing, observed_at: sent_at, status, by: 'mail' })
  const { lines } = await recordSaleIn(tx, user_id, { order, evidence: { by: 'mail', seen_at: received_at } })
  return { ...lines[0]!, external_order_id: order.external_order_id }
}

const priceOf = ({ price_minor, currency }: HintLine) =>
  price_minor === null || currency === null ? {} : { price_minor, currency }
