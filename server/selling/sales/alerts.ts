import type { Queries } from '#server/infra/db/index.ts'
import { suggestions } from '#server/selling/alerts/suggestions.ts'
import { openTask } from '#server/selling/tasks/open-task.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { newId } from '#shared/identity.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { isPriceKnown, orderUrl, placeName, type SalePlace } from './observed-sale.ts'
import type { LinePlan } from './plan-line.ts'
import * as sql from './queries.ts'
import { claimOf, type SaleContext } from './sale-context.ts'

/** Facts that an alert keeps for the seller, by which it leads to its order, listing or mail. */
export type AlertData = Partial<Omit<Alert, 'advice'>> & {
  advice?: string | null
  platforms?: PlatformSlug[]
  reason?: string
}

/** Alerts about one order, which end when it is cancelled. */
const ofOneOrder = ['excess_quantity', 'sold_while_withdrawn', 'sale_refunded'] as const

/** Resolves the oversells that are over, and all alerts of a cancelled order, together with the task to cancel it. */
export async function settleAlerts(plan: LinePlan, context: SaleContext): Promise<void> {
  const { tx, user_id, match, claims, order, before } = context
  const isCancelled = plan.decision.line === 'cancelled' && before && before.state !== 'cancelled'
  // A refunded order needs no cancellation, and a question about it ends when it is shipped.
  const isRefunded = context.line.refunded && context.line.refunded !== 'maybe_before_shipping'
  if (isCancelled || isRefunded) await settleOrder(plan, context)
  for (const key of plan.settles) {
    const claim = key === context.key ? { ...order, order_uid: order.uid } : claimOf(claims, key)
    const settled = await tx.any(
      sql.resolveAlerts({
        user_id,
        kind: 'oversell',
        item_uid: match?.item_uid ?? null,
        reference: key,
      }),
    )
    await tx.none(
      sql.dismissCancelTask({
        user_id,
        platform: claim.platform,
        external_order_id: claim.external_order_id,
      }),
    )
    if (settled.length === 0) continue
    context.events.push({
      type: 'oversell.resolved',
      item_uid: match?.item_uid,
      data: {
        inventory_item_uid: match?.item_uid ?? null,
        order_uid: claim.order_uid,
        platform: claim.platform,
        external_order_id: claim.external_order_id,
        now: key === context.key ? plan.decision.line : 'sold',
      },
    })
  }
}

async function settleOrder(plan: LinePlan, { tx, user_id, key, match, order }: SaleContext): Promise<void> {
  for (const kind of ofOneOrder) {
    if (kind === 'sale_refunded' && plan.decision.alerts.includes(kind)) continue
    await tx.any(sql.resolveAlerts({ user_id, kind, item_uid: match?.item_uid ?? null, reference: key }))
  }
  await tx.none(
    sql.dismissCancelTask({
      user_id,
      platform: order.platform,
      external_order_id: order.external_order_id,
    }),
  )
}

/** Raises the plan's alerts, each with an event and, where an order has to be cancelled, a task. */
export async function raiseAlerts(plan: LinePlan, context: SaleContext): Promise<void> {
  const { tx, user_id, order, line, item, claims } = context
  if (!item) return
  for (const alert of plan.alerts) {
    // The seller who marks it sold knows that it was withdrawn.
    if (alert.kind === 'sold_while_withdrawn' && order.source === 'outside') continue
    const about =
      alert.key === context.key
        ? { ...line, order_uid: order.uid, platform: order.platform, external_order_id: order.external_order_id }
        : claimOf(claims, alert.key)
    const offered = alert.kind === 'relist_offer' ? await platformsOf(tx, user_id, item.uid) : []
    const data = {
      inventory_item_uid: item.uid,
      order_uid: about.order_uid,
      external_order_id: about.external_order_id,
      external_line_id: about.external_line_id,
      platform: about.platform,
      listing_id: about.listing_id,
      ...(alert.excessUnits > 0 ? { excess_units: alert.excessUnits } : {}),
      ...(alert.kind === 'relist_offer' ? { platforms: offered } : {}),
    }
    const isOfAnother = alert.kind === 'relist_offer' && context.evidence.isOfAnother
    const message = isOfAnother
      ? `The order ${placeName(about.platform)} was for another thing than "${item.title}". It can be listed again.`
      : line.refunded === 'maybe_before_shipping' && alert.kind === 'sale_refunded'
        ? `Part of order ${order.external_order_id} ${placeName(order.platform)} was refunded before it was shipped, perhaps for "${item.title}". Do you still have it?`
        : messageOf(alert.kind, item.title, about.platform, about.external_order_id, alert.excessUnits)
    const raised = await tx.oneOrNone(
      sql.insertAlert({
        user_id,
        uid: newId('alm'),
        kind: alert.kind,
        item_uid: item.uid,
        platform: about.platform === 'outside' ? null : about.platform,
        reference: alert.key,
        message,
        data: JSON.stringify(data),
        // A seller who said that the item is gone is not asked again.
        once: alert.kind === 'sale_refunded',
      }),
    )
    if (!raised) continue
    if (alert.kind === 'relist_offer') {
      // The platform of a canceled order may list it again by itself, which is checked first.
      const platforms = offered.filter((one) => order.source !== 'platform' || one !== order.platform)
      if (platforms.length > 0 || offered.length === 0)
        context.events.push({ type: 'item.relist_offered', item_uid: item.uid, data: { ...data, platforms } })
    } else if (alert.kind === 'sale_refunded') {
      context.events.push({ type: 'sale.refunded', item_uid: item.uid, data: { ...data, message } })
    } else {
      context.events.push({
        type: 'oversell.detected',
        item_uid: item.uid,
        data: { ...data, kind: alert.kind, message, suggestion: suggestions[alert.kind] },
      })
    }
    const isToCancel = suggestions[alert.kind] === 'cancel_order'
    if (isToCancel && about.platform !== 'outside') {
      await openTask(tx, {
        user_id,
        kind: 'cancel_order',
        platform: about.platform,
        item_uid: item.uid,
        seller_account_uid: alert.key === context.key ? order.seller_account_uid : null,
        reason: message,
        url: orderUrl(about.platform, about.external_order_id),
        listing_id: about.external_order_id,
        price_minor: isPriceKnown(about) ? about.price_minor : null,
        currency: isPriceKnown(about) ? about.currency : null,
        cause: alert.kind,
        cause_ref: about.order_uid,
      })
    }
  }
}

function messageOf(
  kind: LinePlan['alerts'][number]['kind'],
  title: string,
  platform: SalePlace,
  order: string,
  excess: number,
): string {
  const where = placeName(platform)
  switch (kind) {
    case 'oversell':
      return `"${title}" was bought ${where} (order ${order}) and is already sold. Cancel that order.`
    case 'excess_quantity':
      return `Order ${order} ${where} is for ${excess + 1} of "${title}", and there is one. Cancel the other ${excess}.`
    case 'sold_while_withdrawn':
      return `"${title}" was bought ${where} (order ${order}) although you had withdrawn it.`
    case 'sale_refunded':
      return `Order ${order} ${where} for "${title}" was refunded before it was shipped. Do you still have it?`
    case 'relist_offer':
      return `The sale of "${title}" ${where} was cancelled.`
  }
}

async function platformsOf(tx: Queries, user_id: number, item_uid: string): Promise<string[]> {
  return tx
    .any(sql.readTakenDown({ user_id, item_uid }))
    .then((rows) => rows.map(({ platform }: { platform: string }) => platform))
}
