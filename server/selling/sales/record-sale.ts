import type { Database, Queries, Transaction } from '#server/infra/db/index.ts'
import { together, transaction } from '#server/infra/db/transaction.ts'
import { notFound } from '#server/infra/errors.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { newOrderedId } from '#shared/identity.ts'
import { applyPlan } from './apply-plan.ts'
import { askAboutLine, type Candidate, candidateOf } from './ask-which-item.ts'
import { StaleStateError, saleContention } from './contention.ts'
import { findSoldItem } from './find-sold-item.ts'
import { type ObservedSale, orderUrl, type ReportedLine, type ReportedOrder, statusOfOrder } from './observed-sale.ts'
import { findPastItem, joinPastSale } from './past/join-past-sale.ts'
import { planLine } from './plan-line.ts'
import * as sql from './queries.ts'
import type { ItemRow, RecordedLine, SaleContext, SavedOrder } from './sale-context.ts'

interface RecordedSale {
  uid: string
  lines: RecordedLine[]
}

interface LineMatch {
  external_line_id: string
  item_uid: string | null
  matched_by: 'listing' | 'sku' | 'title' | 'seller' | null
  listing_sold: boolean
  /** The items that it may be, where the seller has to say which it is. */
  candidates?: Candidate[]
}

type Matches = ReadonlyMap<string, LineMatch>

interface RecordOptions {
  /** Runs in the same transaction. */
  also?: (tx: Queries) => Promise<unknown>
}

/**
 * Records an observed sale in one transaction: the order and its lines, the item's moves, the sale, a delist
 * operation or task for every other live listing, history, alerts and events. Repeating it changes nothing, so any number
 * of workers may call it for every report, and again after any failure. Throws `not_found` for a closed account.
 */
export function recordSale(
  db: Database,
  user_id: number,
  sale: ObservedSale,
  options: RecordOptions = {},
): Promise<RecordedSale> {
  return transaction(db, 'record-sale', (tx) => recordSaleIn(tx, user_id, sale, options), saleContention)
}

/**
 * Records an observed sale in the caller's transaction. That transaction must be able to run again as a whole, and must
 * not hold locks on other items.
 */
export async function recordSaleIn(
  tx: Transaction,
  user_id: number,
  { order: reported, evidence }: ObservedSale,
  { also }: RecordOptions = {},
): Promise<RecordedSale> {
  const order = await saveOrder(tx, user_id, reported)
  const matches = await matchItems(tx, user_id, order)
  const items = await lockItems(tx, user_id, matches)
  // A SKU or a title is a guess: the listing may have got an item of its own while the lock was awaited.
  if (isGuessed(matches)) requireSame(matches, await matchItems(tx, user_id, order))

  const lines: RecordedLine[] = []
  const events: SaleContext['events'] = []
  for (const line of order.lines.toSorted(byId)) {
    const match = matches.get(line.external_line_id) ?? null
    const item = match?.item_uid ? (items.get(match.item_uid) ?? null) : null
    const key = `${order.uid}/${line.external_line_id}`
    const read = () =>
      together([
        tx.oneOrNone(sql.readLine({ user_id, order_uid: order.uid, external_line_id: line.external_line_id })),
        match?.item_uid ? tx.any(sql.readClaims({ user_id, item_uid: match.item_uid })) : [],
      ])
    const known = await read()
    const [before, claims] = (await joinPastSale(tx, user_id, order, line, known)) ? await read() : known
    const plan = planLine({
      key,
      now: { ...line, modified_at: order.modified_at },
      before,
      item: item && { state: item.state, soldByListing: match?.listing_sold ?? false },
      claims,
    })
    const context = { tx, user_id, key, order, line, match, item, before, claims, evidence, events }
    lines.push(await applyPlan(plan, context))
    // The line was read before the file that tells of its sale.
    if (before?.state === 'unmatched' && !item && match?.candidates) await askAboutLine(context)
  }
  await together([emitEvents(tx, user_id, events), also?.(tx)])
  return { uid: order.uid, lines }
}

/** Saves the order and locks its row, so that workers that report one order take turns. */
async function saveOrder(tx: Queries, user_id: number, order: ReportedOrder): Promise<SavedOrder> {
  const status = statusOfOrder(order.lines)
  const observed_ids = order.source === 'platform' ? order.lines.map((line) => `listing-${line.listing_id}`) : []
  const stored = { ...order, ...toldShipping(order), user_id, uid: newOrderedId('ord'), status, observed_ids }
  const [account, { uid, has_observed }] = await together([
    tx.oneOrNone(sql.keepAccountOpen({ user_id })),
    tx.one(sql.upsertOrder(stored)),
  ])
  if (!account) throw notFound()
  const saved = { ...order, uid }
  if (has_observed) await adoptObservedLines(tx, user_id, saved)
  return saved
}

/** Returns what the platform tells of the order's way to the buyer. */
function toldShipping({ shipping }: ReportedOrder) {
  const { ship_by = null, buyer_note = null, shipped = null } = shipping ?? {}
  return {
    ...{ tells_shipping: shipping !== undefined, is_shipped: shipped !== null, ship_by, buyer_note },
    ...{ carrier: shipped?.carrier ?? null, tracking_number: shipped?.tracking_number ?? null },
    shipped_at: shipped?.at ?? null,
  }
}

/** Moves lines of listings that were seen as sold before this order was known to the order. */
async function adoptObservedLines(tx: Queries, user_id: number, order: SavedOrder): Promise<void> {
  if (order.platform === 'outside') return
  const moved = await tx.any(
    sql.moveObservedLines({
      ...order,
      user_id,
      order_uid: order.uid,
      order_url: orderUrl(order.platform, order.external_order_id),
      lines: JSON.stringify(order.lines),
    }),
  )
  for (const { seen_uid } of moved) await tx.none(sql.deleteEmptyOrder({ user_id, uid: seen_uid }))
}

/** Finds the item of each line: the recorded one, that of its listing, else by all that the order tells of it. */
async function matchItems(tx: Queries, user_id: number, order: SavedOrder): Promise<Matches> {
  const matches = await tx.any(
    sql.matchLines({
      user_id,
      order_uid: order.uid,
      seller_account_uid: order.seller_account_uid,
      ordered_at: order.ordered_at,
      lines: JSON.stringify(order.lines),
    }),
  )
  const found = new Map<string, LineMatch>(matches.map((match) => [match.external_line_id, match]))
  for (const match of matches) {
    const line = order.lines.find(({ external_line_id }) => external_line_id === match.external_line_id)
    if (!line || line.item_uid || line.status === 'cancelled' || order.source === 'outside' || match.is_matched)
      continue
    const others = [...found.values()].filter((one) => one.external_line_id !== match.external_line_id)
    const used = new Set(others.map(({ item_uid }) => item_uid))
    found.set(match.external_line_id, await matchLine(tx, user_id, order, line, match, used))
  }
  return found
}

/** Finds the item of a line that has none yet. A sale that a file told before is this one, or a question. */
async function matchLine(
  tx: Queries,
  user_id: number,
  order: SavedOrder,
  line: ReportedLine,
  match: LineMatch & { is_recorded: boolean; may_be_past: boolean },
  used: ReadonlySet<string | null>,
): Promise<LineMatch> {
  const none = { ...match, item_uid: null, matched_by: null, listing_sold: false }
  const { item_uid } = match
  const past = match.may_be_past ? await findPastItem(tx, user_id, order, line, { item_uid, used }) : null
  if (past?.candidates) return { ...none, candidates: past.candidates }
  if (past) return { ...none, item_uid: past.item_uid, matched_by: past.by }
  // A line is decided once: what the seller answers, or lists later, comes by the listing's id.
  return match.is_recorded ? match : identifyLine(tx, user_id, order, line)
}

async function identifyLine(
  tx: Queries,
  user_id: number,
  { platform, seller_account_uid, ordered_at, source }: SavedOrder,
  { external_line_id, title = null, ...line }: ReportedLine,
): Promise<LineMatch> {
  const unmatched = { external_line_id, item_uid: null, matched_by: null, listing_sold: false }
  if (platform === 'outside') return unmatched
  const thing = { ...line, title, listing_id: line.listing_id || null, isCut: false, size: line.size ?? null }
  const place = { user_id, platform }
  const found = await findSoldItem(tx, place, { ...thing, seller_account_uid, sold_at: ordered_at })
  if (found.verdict !== 'one') return { ...unmatched, candidates: found.candidates.map(candidateOf) }
  const { item_uid, listing } = found.offer
  // The seller's answer to an import says whose listing it is. A guess must not forestall it.
  if (source === 'scraped' && found.by !== 'listing') {
    return { ...unmatched, candidates: [candidateOf({ offer: found.offer, agrees: [found.by], objections: [] })] }
  }
  return { external_line_id, item_uid, matched_by: found.by, listing_sold: listing?.state === 'sold' }
}

/** Locks every item of the order before any line is read, so that no other decision about one of them is under way. */
async function lockItems(tx: Queries, user_id: number, matches: Matches): Promise<Map<string, ItemRow>> {
  const uids = [...new Set([...matches.values()].map(({ item_uid }) => item_uid).filter((uid) => uid !== null))]
  const items = new Map<string, ItemRow>()
  if (uids.length === 0) return items
  for (const item of await tx.any(sql.lockItems({ user_id, uids }))) {
    if (item.redirect_uid) throw new StaleStateError(`${item.uid} was merged into ${item.redirect_uid}`)
    items.set(item.uid, item)
  }
  return items
}

const isGuessed = (matches: Matches) =>
  [...matches.values()].some(({ matched_by }) => matched_by === 'sku' || matched_by === 'title')

function requireSame(matches: Matches, matchesNow: Matches): void {
  for (const { external_line_id, item_uid } of matchesNow.values()) {
    if (matches.get(external_line_id)?.item_uid === item_uid) continue
    throw new StaleStateError(`line ${external_line_id} belongs to another item now`)
  }
}

const byId = (one: ReportedLine, other: ReportedLine) => (one.external_line_id < other.external_line_id ? -1 : 1)
