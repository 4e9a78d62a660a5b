import { sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { apiPlatforms, insertDelistIntents } from '#server/selling/listings/intents.ts'
import type { Availability } from '#shared/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { LineState } from './decide-sale.ts'
import { type ClaimRow, claimOf, type ItemRow, type Occasion, type RecordedLine } from './occasion.ts'
import type { LinePlan } from './plan-line.ts'
import { raiseAlarmsOf, settleAlarmsOf } from './raise-alarms.ts'
import { placeName } from './told.ts'
import { Outrun } from './transaction.ts'

const upsertLine = prepared(sql(import.meta.url, './sql/upsert-line.sql'))
const setLineState = sql(import.meta.url, './sql/set-line-state.sql')
const insertHistory = prepared(sql(import.meta.url, './sql/insert-history.sql'))
const beginSale = prepared(sql(import.meta.url, './sql/begin-sale.sql'))
const endSale = sql(import.meta.url, './sql/end-sale.sql')
const markListing = prepared(sql(import.meta.url, './sql/mark-listing.sql'))
const dismissDelistTasks = sql(import.meta.url, './sql/dismiss-delist-tasks.sql')
const voidOffers = prepared(sql(import.meta.url, './sql/void-relist-offers.sql'))

/**
 * How long after a sale its own listing is looked at: the platform has ended it by then, unless it offers more. The same
 * after a cancellation, which on some platforms puts it on offer again.
 */
const checkListingAfterSeconds = 10

/** Writes what a plan says, all within the caller's transaction. Throws Outrun when the item has moved meanwhile. */
export async function carryOut(plan: LinePlan, occasion: Occasion): Promise<RecordedLine> {
  const { decision } = plan
  const { line, match, item } = occasion
  const recorded: RecordedLine = {
    external_line_id: line.external_line_id,
    outcome: decision.outcome,
    state: decision.line,
    item_uid: match?.item_uid ?? null,
    taking_down: [],
  }
  if (decision.outcome === 'out_of_date') return recorded
  // Whoever loses the item lets go of it before another has it.
  if (plan.saleEnds) await endSaleOf(plan.saleEnds, occasion)
  const others = plan.lines.filter((changed) => changed.key !== occasion.key)
  for (const other of others.filter(({ state }) => state === 'oversell')) await setOther(other, occasion)
  await writeLine(plan, occasion)
  for (const other of others.filter(({ state }) => state !== 'oversell')) await setOther(other, occasion)
  const moving = Promise.all(item ? moveThrough(plan, item, occasion) : [])
  // What fails is thrown below, where it is waited for.
  moving.catch(() => {})
  if (plan.saleBegins) await beginSaleOf(plan.saleBegins, occasion)
  if (item && plan.takesDown) recorded.taking_down = await takeDown(plan, item, occasion)
  await moving
  if (plan.frees) await dismissTasks(occasion)
  await settleAlarmsOf(plan, occasion)
  await raiseAlarmsOf(plan, occasion)
  if (decision.outcome === 'unmatched') {
    occasion.events.push({ type: 'sale.unmatched', data: describe(occasion) })
  }
  return recorded
}

async function writeLine(plan: LinePlan, { tx, user_id, order, line, match, item }: Occasion): Promise<void> {
  const outcome = plan.decision.outcome
  const sells = outcome === 'sold' || outcome === 'held' || outcome === 'oversell'
  await tx.none(upsertLine, {
    ...line,
    user_id,
    order_uid: order.uid,
    item_uid: match?.item_uid ?? null,
    matched_by: match?.matched_by ?? null,
    state: plan.decision.line,
    modified_at: order.modified_at,
    check_listing_seconds:
      (sells || outcome === 'freed') && order.source === 'platform' ? checkListingAfterSeconds : null,
  })
  if (!sells || !item || !order.seller_account_uid) return
  const state = line.status === 'paid' ? 'sold' : 'reserved'
  await tx.none(markListing, {
    user_id,
    seller_account_uid: order.seller_account_uid,
    listing_id: line.listing_id,
    state,
  })
}

function setOther(changed: { key: string; state: LineState }, { tx, user_id, claims }: Occasion): Promise<null> {
  const { order_uid, external_line_id } = claimOf(claims, changed.key)
  return tx.none(setLineState, { user_id, order_uid, external_line_id, state: changed.state })
}

/** Asks for the moves, to go with what is asked for after them; each answer throws Outrun when the item has moved meanwhile. */
function moveThrough(plan: LinePlan, item: ItemRow, occasion: Occasion): Promise<unknown>[] {
  const { tx, user_id, evidence, order } = occasion
  return plan.moves.flatMap((to) => {
    const from = item.state
    const values = { user_id, item_uid: item.uid, from, to, version: item.version }
    // The trigger lets a sold item go only where this is said; it ends with the transaction.
    const asked: Promise<unknown>[] = []
    if (from === 'sold') asked.push(tx.any("select set_config('hapax.order_cancelled', 'on', true)"))
    asked.push(
      tx.result(occasion.moveItem, values).then(({ rowCount }) => {
        if (rowCount !== 1) throw new Outrun(`${item.uid} is not ${from} any more`)
      }),
    )
    if (from === 'sold') asked.push(tx.any("select set_config('hapax.order_cancelled', 'off', true)"))
    item.state = to
    item.version++
    const reason = reasonOf(plan, to, occasion)
    const actor = evidence.by === 'seller' ? 'user' : 'sale'
    asked.push(tx.none(insertHistory, { ...values, version: item.version, actor, reason, reference: order.uid }))
    occasion.events.push({
      type: 'item.state_changed',
      item_uid: item.uid,
      data: {
        inventory_item_uid: item.uid,
        version: item.version,
        from_state: from,
        to_state: to,
        reason,
        order_uid: order.uid,
      },
    })
    return asked
  })
}

/** A sentence for the history: why, and by what evidence. */
function reasonOf(plan: LinePlan, to: Availability, { order, evidence, match, claims }: Occasion): string {
  const seen = {
    push: 'told by the platform',
    poll: 'found when reading its orders',
    extension: 'seen by the extension',
    seller: 'said by the seller',
    import: 'seen by an import',
  }[evidence.by]
  const note = evidence.note ? `: ${evidence.note}` : ''
  const byOrder = order.source === 'platform' ? `, order ${order.external_order_id}` : ''
  const bySku = match?.matched_by === 'sku' ? ', matched by SKU' : ''
  if (plan.decision.outcome === 'freed') {
    const heir = plan.lines.find(({ state }) => state === 'sold' || state === 'held')
    const next = heir ? claimOf(claims, heir.key) : null
    const where = next ? `; its next buyer ${placeName(next.platform)} has it now` : ''
    const why = evidence.isOfAnother ? 'is of another item' : 'was cancelled'
    return `Order ${order.external_order_id} ${placeName(order.platform)} ${why} (${seen})${where}`
  }
  if (to === 'reserved') return `Bought ${placeName(order.platform)}, not paid yet${byOrder}${bySku} (${seen})`
  if (to === 'available') return `Bought ${placeName(order.platform)} while it was withdrawn${byOrder} (${seen})`
  return `Sold ${placeName(order.platform)}${byOrder}${bySku} (${seen})${note}`
}

async function endSaleOf(key: string, occasion: Occasion): Promise<void> {
  const { tx, user_id, claims } = occasion
  const claim = claimOf(claims, key)
  await tx.none(endSale, { user_id, order_uid: claim.order_uid, external_line_id: claim.external_line_id })
  occasion.events.push({ type: 'sale.cancelled', item_uid: occasion.match?.item_uid, data: describe(occasion) })
}

async function beginSaleOf(key: string, occasion: Occasion): Promise<void> {
  const { tx, user_id, order, line, match, claims } = occasion
  const own = key === occasion.key
  const sold = own
    ? { ...line, order_uid: order.uid, platform: order.platform, external_order_id: order.external_order_id }
    : claimOf(claims, key)
  await tx.none(beginSale, {
    user_id,
    item_uid: match?.item_uid,
    order_uid: sold.order_uid,
    external_line_id: sold.external_line_id,
    platform: sold.platform,
  })
  // An offer to list it again that nobody took up is void.
  await tx.none(voidOffers, { user_id, item_uid: match?.item_uid })
  occasion.events.push({
    type: 'sale.recorded',
    item_uid: match?.item_uid,
    data: own
      ? { ...describe(occasion), seen_at: occasion.evidence.seen_at, seen_by: occasion.evidence.by }
      : describeClaim(occasion, claimOf(claims, key)),
  })
}

/** What the seller was asked to take down because somebody had the item may stay up. */
async function dismissTasks({ tx, user_id, match, events }: Occasion): Promise<void> {
  const item_uid = match?.item_uid ?? undefined
  const dismissed = await tx.any<{ uid: string; kind: string; platform: PlatformSlug }>(dismissDelistTasks, {
    ...{ user_id, item_uid, api_platforms: apiPlatforms },
  })
  for (const { uid, kind, platform } of dismissed) {
    const data = { task_uid: uid, kind, platform, inventory_item_uid: item_uid, status: 'dismissed' }
    events.push({ type: 'task.finished', item_uid, data })
  }
}

async function takeDown(plan: LinePlan, item: ItemRow, occasion: Occasion): Promise<PlatformSlug[]> {
  const { tx, user_id, order, line, evidence } = occasion
  const heir = plan.saleBegins && plan.saleBegins !== occasion.key ? claimOf(occasion.claims, plan.saleBegins) : null
  const place = heir?.platform ?? order.platform
  const made = await insertDelistIntents(tx, {
    user_id,
    item_uid: item.uid,
    except: order.platform === 'outside' || heir ? null : { platform: order.platform, listing_id: line.listing_id },
    cause: order.platform === 'outside' ? 'mark_sold' : 'sale',
    cause_ref: heir?.order_uid ?? order.uid,
    reason: `Sold ${placeName(place)}`,
    seen_at: evidence.seen_at,
  })
  return [...new Set([...made.intents.map(({ platform }) => platform), ...made.tasks, ...made.cancelled])]
}

/** A line for an event: no buyer's data. */
function describe({ order, line, match }: Occasion): Record<string, unknown> {
  return {
    inventory_item_uid: match?.item_uid ?? null,
    order_uid: order.uid,
    platform: order.platform,
    external_order_id: order.external_order_id,
    external_line_id: line.external_line_id,
    listing_id: line.listing_id,
    quantity: line.quantity,
    price: decimalFromMinor(line.price_minor, line.currency),
    currency: line.currency,
  }
}

function describeClaim({ match }: Occasion, claim: ClaimRow): Record<string, unknown> {
  return {
    inventory_item_uid: match?.item_uid ?? null,
    order_uid: claim.order_uid,
    platform: claim.platform,
    external_order_id: claim.external_order_id,
    external_line_id: claim.external_line_id,
    listing_id: claim.listing_id,
    price: decimalFromMinor(claim.price_minor, claim.currency),
    currency: claim.currency,
  }
}
