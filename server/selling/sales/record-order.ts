import { gather, gatheredTransaction } from '#server/infra/db/gather.ts'
import { type Database, type Queries, sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { retried } from '#server/infra/db/retried.ts'
import { notFound } from '#server/infra/errors.ts'
import { emitEvents, type NewEvent } from '#server/webhooks/emit.ts'
import { newOrderedId } from '#shared/identity.ts'
import { applyPlan } from './apply-plan.ts'
import type { LineBefore } from './decide-sale.ts'
import { planLine } from './plan-line.ts'
import { type Evidence, orderUrl, type ReportedOrder, statusOfOrder } from './reported-order.ts'
import type { ClaimRow, ItemRow, RecordedLine } from './sale-context.ts'
import { StaleStateError, saleContention } from './transaction.ts'

const upsertOrder = prepared(sql(import.meta.url, './sql/upsert-order.sql'))
const adoptObservedSalesSql = prepared(sql(import.meta.url, './sql/adopt-seen-sales.sql'))
const deleteEmptyOrder = sql(import.meta.url, './sql/delete-empty-order.sql')
const matchLines = prepared(sql(import.meta.url, './sql/match-lines.sql'))
const lockItems = prepared(sql(import.meta.url, './sql/lock-items.sql'))
const readLine = prepared(sql(import.meta.url, './sql/read-line.sql'))
const readClaims = prepared(sql(import.meta.url, './sql/read-claims.sql'))
const moveItem = prepared(sql(import.meta.url, './sql/move-item.sql'))

/** The two queries that make a sale safe; the contention command puts broken ones in their place to prove itself. */
export interface SafetyQueries {
  lockItems: ReturnType<typeof sql>
  moveItem: ReturnType<typeof sql>
}
export const safetyQueries: SafetyQueries = { lockItems, moveItem }

export interface RecordedOrder {
  uid: string
  lines: RecordedLine[]
}

interface MatchedLine {
  external_line_id: string
  item_uid: string | null
  matched_by: 'listing' | 'sku' | 'seller' | null
  listing_sold: boolean
}

/**
 * Records an order as it was told, in one transaction (decisions 8): its lines, the item's moves, the sale, a delist
 * intent or task for every other live listing, history, alarms and events. What was recorded before changes nothing, so
 * that it may be called for every notice, by any number of workers, and again after any failure. `also`
 * is done in the same transaction. Throws `not_found` when the account has been closed.
 */
export function recordOrder(
  db: Database,
  user_id: number,
  order: ReportedOrder,
  evidence: Evidence,
  { queries, also }: { queries?: SafetyQueries; also?: (tx: Queries) => Promise<unknown> } = {},
): Promise<RecordedOrder> {
  const record = () =>
    gatheredTransaction(db, async (tx) => {
      const recorded = await recordOrderIn(tx, user_id, order, evidence, queries)
      await also?.(tx)
      return recorded
    })
  return retried(record, saleContention)
}

/**
 * The same within the caller's transaction, which must bear being run again as a whole and must not hold locks on items
 * other than these.
 */
export async function recordOrderIn(
  transaction: Queries,
  user_id: number,
  order: ReportedOrder,
  evidence: Evidence,
  queries: SafetyQueries = safetyQueries,
): Promise<RecordedOrder> {
  const tx = gather(transaction)
  const upserted = await tx.oneOrNone<{ uid: string }>(upsertOrder, {
    ...order,
    user_id,
    uid: newOrderedId('ord'),
    status: statusOfOrder(order.lines),
  })
  if (!upserted) throw notFound()
  const { uid } = upserted
  const readMatches = () =>
    tx.any<MatchedLine>(matchLines, {
      user_id,
      order_uid: uid,
      seller_account_uid: order.seller_account_uid,
      ordered_at: order.ordered_at,
      lines: JSON.stringify(order.lines),
    })
  // Asked for together, and done in this order.
  const [, matches] = await Promise.all([
    order.source === 'platform' ? adoptObservedSales(tx, user_id, uid, order) : null,
    readMatches(),
  ])
  const matchOf = new Map(matches.map((match) => [match.external_line_id, match]))
  // Every item is locked before any line is read: a decision about it elsewhere is over, or has not begun.
  const uids = [...new Set(matches.map((match) => match.item_uid).filter((item) => item !== null))]
  const items = new Map<string, ItemRow>()
  const locking = uids.length > 0 ? tx.any<ItemRow>(queries.lockItems, { user_id, uids }) : []
  const read = ({ external_line_id }: ReportedOrder['lines'][number]) => {
    const item_uid = matchOf.get(external_line_id)?.item_uid
    return Promise.all([
      tx.oneOrNone<LineBefore>(readLine, { user_id, order_uid: uid, external_line_id }),
      item_uid ? tx.any<ClaimRow>(readClaims, { user_id, item_uid }) : [],
    ])
  }
  const sorted = order.lines.toSorted((one, other) => (one.external_line_id < other.external_line_id ? -1 : 1))
  // The first line is read along with the locks, after them; the others when those before them are carried out.
  const [locked, first] = await Promise.all([locking, sorted[0] ? read(sorted[0]) : null])
  for (const item of locked) {
    // Merged between the two reads: the line is about the other item.
    if (item.redirect_uid) throw new StaleStateError(`${item.uid} was merged into ${item.redirect_uid}`)
    items.set(item.uid, item)
  }
  // A SKU is a guess: while its item was waited for, the listing may have got one of its own (imports/resolve).
  if (matches.some(({ matched_by }) => matched_by === 'sku')) {
    for (const { external_line_id, item_uid } of await readMatches()) {
      if (matchOf.get(external_line_id)?.item_uid === item_uid) continue
      throw new StaleStateError(`the item of line ${external_line_id} is another by now`)
    }
  }

  const lines: RecordedLine[] = []
  const events: NewEvent[] = []
  for (const [place, line] of sorted.entries()) {
    const match = matchOf.get(line.external_line_id)
    const item = match?.item_uid ? (items.get(match.item_uid) ?? null) : null
    const key = `${uid}/${line.external_line_id}`
    const [before, claims] = place === 0 && first ? first : await read(line)
    const plan = planLine({
      key,
      now: { status: line.status, quantity: line.quantity, modified_at: order.modified_at },
      before,
      item: item && { state: item.state, soldByListing: match?.listing_sold ?? false },
      claims,
    })
    const context = {
      tx,
      user_id,
      order: { ...order, uid },
      line,
      match: match ?? null,
      item,
      before,
      claims,
      evidence,
    }
    lines.push(await applyPlan(plan, { ...context, key, moveItem: queries.moveItem, events }))
  }
  await emitEvents(tx, user_id, events)
  await tx.flush()
  return { uid, lines }
}

/** A listing that an import saw as sold was recorded as if that were its order: now it has its true one. */
async function adoptObservedSales(
  tx: Queries,
  user_id: number,
  order_uid: string,
  order: ReportedOrder,
): Promise<void> {
  if (order.platform === 'outside') return
  const adopted = await tx.any<{ seen_uid: string }>(adoptObservedSalesSql, {
    ...order,
    user_id,
    order_uid,
    order_url: orderUrl(order.platform, order.external_order_id),
    lines: JSON.stringify(order.lines),
  })
  for (const { seen_uid } of adopted) await tx.none(deleteEmptyOrder, { user_id, uid: seen_uid })
}
