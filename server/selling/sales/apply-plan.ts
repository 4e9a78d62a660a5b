import { together } from '#server/infra/db/transaction.ts'
import { apiPlatforms } from '#server/selling/listings/operation.ts'
import { queueDelisting } from '#server/selling/listings/operations/queue-delisting.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { raiseAlerts, settleAlerts } from './alerts.ts'
import { askAboutLine, endQuestion } from './ask-which-item.ts'
import { StaleStateError } from './contention.ts'
import type { LineState } from './decide-sale.ts'
import { moveItem } from './lock-items.ts'
import { placeName } from './observed-sale.ts'
import type { LinePlan } from './plan-line.ts'
import * as sql from './queries.ts'
import { type ClaimRow, claimOf, type ItemRow, type RecordedLine, type SaleContext } from './sale-context.ts'
import { witnessOf } from './witness.ts'

/**
 * Seconds from a sale or cancellation until its own listing is checked. By then the platform has ended a sold-out
 * listing, or put a cancelled one on offer again.
 */
const checkListingAfterSeconds = 10

/** Writes a plan in the caller's transaction. Throws StaleStateError when the item has moved meanwhile. */
export async function applyPlan(plan: LinePlan, context: SaleContext): Promise<RecordedLine> {
  const { decision } = plan
  const { tx, user_id, key, line, match, item } = context
  const recorded: RecordedLine = {
    external_line_id: line.external_line_id,
    outcome: decision.outcome,
    state: decision.line,
    item_uid: match?.item_uid ?? null,
    taking_down: [],
  }
  if (decision.outcome === 'out_of_date') return recorded
  const others = plan.lines.filter((changed) => changed.key !== context.key)
  await together([
    // The line that loses the item releases it before another gets it, or the unique index refuses both.
    plan.saleEnds && endSaleOf(plan.saleEnds, context),
    ...others.filter(({ state }) => state === 'oversell').map((other) => setOther(other, context)),
    writeLine(plan, context),
    ...others.filter(({ state }) => state !== 'oversell').map((other) => setOther(other, context)),
    item && moveItemThrough(plan, item, context),
    plan.saleBegins && beginSaleOf(plan.saleBegins, context),
    item && plan.delistsOthers && takeDown(plan, item, context, recorded),
  ])
  if (plan.frees) await dismissTasks(context)
  await settleAlerts(plan, context)
  await raiseAlerts(plan, context)
  if (decision.outcome === 'unmatched') {
    context.events.push({ type: 'sale.unmatched', data: describe(context) })
    await askAboutLine(context)
  } else if (context.before?.state === 'unmatched' && decision.line !== 'unmatched') {
    await endQuestion(tx, { user_id, reference: key })
  }
  return recorded
}

function writeLine(plan: LinePlan, { tx, user_id, order, line, match, item }: SaleContext): Promise<null> {
  const outcome = plan.decision.outcome
  const sells = outcome === 'sold' || outcome === 'held' || outcome === 'oversell'
  return tx.none(
    sql.upsertLine({
      ...line,
      // Of a refunded order, the seller has the item, or it never had one.
      status: plan.decision.line === 'cancelled' ? 'cancelled' : line.status,
      user_id,
      order_uid: order.uid,
      seller_account_uid: order.seller_account_uid,
      listing_state: sells && item ? (line.status === 'paid' ? 'sold' : 'reserved') : null,
      item_uid: match?.item_uid ?? null,
      matched_by: match?.matched_by ?? null,
      state: plan.decision.line,
      modified_at: order.modified_at,
      check_listing_seconds:
        (sells || outcome === 'freed') && order.source === 'platform' ? checkListingAfterSeconds : null,
    }),
  )
}

function setOther(changed: { key: string; state: LineState }, { tx, user_id, claims }: SaleContext): Promise<null> {
  const { order_uid, external_line_id } = claimOf(claims, changed.key)
  return tx.none(sql.setLineState({ user_id, order_uid, external_line_id, state: changed.state }))
}

/** Moves the item through the plan's states. Throws StaleStateError when it has moved meanwhile. */
async function moveItemThrough(plan: LinePlan, item: ItemRow, context: SaleContext): Promise<void> {
  const { tx, user_id, evidence, order } = context
  const actor = evidence.by === 'seller' ? 'user' : 'sale'
  const witness = witnessOf(evidence.by, order.platform)
  const moves = plan.moves.map((to) => {
    const from = item.state
    const reason = reasonOf(plan, to, context)
    const move = { user_id, item_uid: item.uid, from, to, version: item.version }
    item.state = to
    item.version++
    context.events.push({
      type: 'item.state_changed',
      item_uid: item.uid,
      data: {
        inventory_item_uid: item.uid,
        version: item.version,
        from_state: from,
        to_state: to,
        reason,
        order_uid: order.uid,
        ...(evidence.by === 'mail' && { source: 'mail' }),
      },
    })
    return moveItem(tx, { ...move, actor, reason, reference: order.uid, witness })
  })
  if ((await together(moves)).includes(false)) throw new StaleStateError(`${item.uid} has moved meanwhile`)
}

/** Returns a sentence for the item's history: the reason and the evidence. */
function reasonOf(plan: LinePlan, to: Availability, { order, evidence, match, claims }: SaleContext): string {
  const seen = {
    push: 'reported by the platform',
    poll: 'found when reading its orders',
    extension: 'seen by the extension',
    seller: 'marked by the seller',
    import: 'seen by an import',
    mail: 'told by a sale mail',
  }[evidence.by]
  const note = evidence.note ? `: ${evidence.note}` : ''
  const byOrder = order.source === 'platform' ? `, order ${order.external_order_id}` : ''
  const guess = { sku: ', matched by SKU', title: ', matched by title' }[match?.matched_by ?? ''] ?? ''
  if (plan.decision.outcome === 'freed') {
    const isUndone = evidence.by === 'seller' && order.source !== 'platform' && !evidence.isOfAnother
    const nextClaimant = plan.lines.find(({ state }) => state === 'sold' || state === 'held')
    const next = nextClaimant ? claimOf(claims, nextClaimant.key) : null
    const where = next ? `; its next buyer ${placeName(next.platform)} has it now` : ''
    const refunded = evidence.by === 'seller' && order.source === 'platform' ? 'was refunded before shipping' : null
    const why = evidence.isOfAnother ? 'is of another item' : (refunded ?? 'was cancelled')
    // Its order is ours, with a number that the seller never saw.
    if (isUndone) return `The sale ${placeName(order.platform)} was undone${where}`
    return `Order ${order.external_order_id} ${placeName(order.platform)} ${why} (${seen})${where}`
  }
  if (to === 'reserved' && evidence.by === 'mail') return `Sold ${placeName(order.platform)} (${seen})`
  if (to === 'reserved') return `Bought ${placeName(order.platform)}, not paid yet${byOrder}${guess} (${seen})${note}`
  if (to === 'available') return `Bought ${placeName(order.platform)} while it was withdrawn${byOrder} (${seen})`
  return `Sold ${placeName(order.platform)}${byOrder}${guess} (${seen})${note}`
}

function endSaleOf(key: string, context: SaleContext): Promise<null> {
  const { tx, user_id, claims } = context
  const { order_uid, external_line_id } = claimOf(claims, key)
  context.events.push({ type: 'sale.cancelled', item_uid: context.match?.item_uid, data: describe(context) })
  return tx.none(sql.endSale({ user_id, order_uid, external_line_id }))
}

function beginSaleOf(key: string, context: SaleContext): Promise<null> {
  const { tx, user_id, order, line, match, claims } = context
  const own = key === context.key
  const sold = own
    ? { ...line, order_uid: order.uid, platform: order.platform, external_order_id: order.external_order_id }
    : claimOf(claims, key)
  const { order_uid, external_line_id, platform } = sold
  context.events.push({
    type: 'sale.recorded',
    item_uid: match?.item_uid,
    data: own
      ? { ...describe(context), seen_at: context.evidence.seen_at, seen_by: context.evidence.by }
      : describeClaim(context, claimOf(claims, key)),
  })
  const item_uid = match?.item_uid ?? null
  return tx.none(sql.beginSale({ user_id, item_uid, order_uid, external_line_id, platform }))
}

/** Dismisses the tasks to take listings down by hand: nobody has the item any more. */
async function dismissTasks({ tx, user_id, match, events }: SaleContext): Promise<void> {
  const item_uid = match?.item_uid ?? undefined
  const dismissed = await tx.any(
    sql.dismissDelistTasks({ user_id, item_uid: item_uid ?? null, api_platforms: apiPlatforms }),
  )
  for (const { uid, kind, platform } of dismissed) {
    const data = { task_uid: uid, kind, platform, inventory_item_uid: item_uid, status: 'dismissed' }
    events.push({ type: 'task.finished', item_uid, data })
  }
}

async function takeDown(plan: LinePlan, item: ItemRow, context: SaleContext, recorded: RecordedLine): Promise<void> {
  const { tx, user_id, order, line, evidence } = context
  const nextClaimant =
    plan.saleBegins && plan.saleBegins !== context.key ? claimOf(context.claims, plan.saleBegins) : null
  const place = nextClaimant?.platform ?? order.platform
  const made = await queueDelisting(tx, {
    user_id,
    item_uid: item.uid,
    except:
      order.platform === 'outside' || nextClaimant ? null : { platform: order.platform, listing_id: line.listing_id },
    cause: order.platform === 'outside' ? 'mark_sold' : 'sale',
    cause_ref: nextClaimant?.order_uid ?? order.uid,
    reason: `Sold ${placeName(place)}`,
    seen_at: evidence.seen_at,
  })
  const platforms = [...made.operations.map(({ platform }) => platform), ...made.tasks, ...made.cancelled]
  recorded.taking_down = [...new Set(platforms)]
}

/** Describes the line for an event, without the buyer's data. */
function describe({ order, line, match }: SaleContext): Record<string, unknown> {
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

function describeClaim({ match }: SaleContext, claim: ClaimRow): Record<string, unknown> {
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
