import type { Queries, Transaction } from '#server/infra/db/index.ts'
import type { Times } from '#server/times.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { EventType } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { ListingOperation } from '../operation.ts'
import { requestsFor } from '../preflight/option-findings.ts'
import { namesOfChoiceMessage } from './choose-options.ts'
import * as sql from './queries.ts'

type EventSubject = Pick<
  ListingOperation,
  'user_id' | 'id' | 'item_uid' | 'listing_id' | 'listing_url' | 'cause' | 'cause_ref'
> & { platform: PlatformSlug; seller_account_uid: string | null }

/** Emits a listing event. Call last in the transaction that makes it true. */
export async function emitListingEvent(
  tx: Transaction,
  type: Extract<EventType, `listing.${string}`>,
  operation: EventSubject,
  more: Record<string, unknown> = {},
): Promise<void> {
  const data = {
    inventory_item_uid: operation.item_uid,
    platform: operation.platform,
    seller_account_uid: operation.seller_account_uid,
    listing_id: operation.listing_id,
    listing_url: operation.listing_url,
    cause: operation.cause,
    cause_ref: operation.cause_ref,
    ...more,
  }
  await emitEvents(tx, operation.user_id, [{ type, item_uid: operation.item_uid, data }])
}

/**
 * Raises an alert: a listing that should be down is not verified as down. Before it is overdue, only for a sold item and
 * unless the seller has put it aside; once it is, for any, with an event. The alert is mailed and pushed in `notifyMs`.
 * `advice`: what only the seller can do.
 */
export async function raiseOverdueAlert(
  tx: Transaction,
  operation: EventSubject,
  given: { why: string | null; advice?: string | undefined; isOverdue: boolean; notifyMs: number },
): Promise<void> {
  const { why, advice, isOverdue, notifyMs } = given
  const { name } = platformOf(operation.platform)
  const about =
    operation.listing_id === null ? 'that was being put up and is not wanted may be' : 'should be down and may still be'
  const message = `A listing on ${name} ${about} live. ${why ?? ''}`.trim()
  await tx.none(
    sql.alertOverdue({
      ...operation,
      uid: newId('alm'),
      reference: referenceOf(operation),
      message,
      advice: advice ?? null,
      is_overdue: isOverdue,
      notify_ms: Math.max(0, Math.round(notifyMs)),
    }),
  )
  if (isOverdue) await emitListingEvent(tx, 'listing.delist_overdue', operation, { message })
}

/** Resolves the alert of a listing that is down, or was never up. */
export async function settleOverdueAlert(tx: Queries, operation: EventSubject): Promise<void> {
  await tx.none(sql.resolveOverdue({ ...operation, reference: referenceOf(operation) }))
}

/** Raises an alert: the platform refused an edit of a live listing. */
export async function raiseRefusedUpdate(
  tx: Queries,
  operation: EventSubject & Pick<ListingOperation, 'fields' | 'price_minor'>,
  reason: string,
): Promise<void> {
  await tx.none(
    sql.alertRefusedUpdate({
      ...operation,
      fields: operation.fields ?? [],
      uid: newId('alm'),
      message: `${platformOf(operation.platform).name} refused an edit of a listing. ${reason}`,
      reason,
    }),
  )
}

/** Raises an alert: an item is not listed, and no call waits for the answer. */
export async function raiseRefusedListing(
  tx: Queries,
  operation: EventSubject,
  { error_code, error_message }: { error_code: string; error_message: string },
  times: Times,
): Promise<void> {
  const reason = error_code === 'choice_required' ? requestsFor(namesOfChoiceMessage(error_message)) : error_message
  const message = `${platformOf(operation.platform).name} did not list an item. ${reason}`
  await tx.none(
    sql.alertRefusedListing({ ...operation, uid: newId('alm'), message, reason, wait_ms: times.listingOutcomeMs }),
  )
}

/** Resolves the alert about a refused edit once the listing has everything that it lacked. */
export async function settleRefusedUpdate(
  tx: Queries,
  operation: Pick<ListingOperation, 'user_id' | 'item_uid' | 'fields' | 'price_minor'> & { listing_id: string },
): Promise<void> {
  const { fields, price_minor } = operation
  await tx.none(
    sql.resolveRefusedUpdate({
      ...operation,
      fields: [...(fields ?? []), ...(price_minor === null ? [] : ['price'])],
    }),
  )
}

/** Returns the alert's reference: the listing, else the operation that may have made one. */
function referenceOf({ id, listing_id }: EventSubject): string {
  return listing_id ?? `intent ${id}`
}
