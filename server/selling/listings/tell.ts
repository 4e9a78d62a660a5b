import { type Queries, sql } from '#server/infra/db/index.ts'
import { prepared } from '#server/infra/db/prepared.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { EventType } from '#shared/contract/events.ts'
import { newId } from '#shared/identity.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import type { Intent } from './intent.ts'

const raiseAlarm = sql(import.meta.url, './sql/raise-overdue.sql')
const settleAlarm = prepared(sql(import.meta.url, './sql/settle-overdue.sql'))

type About = Pick<
  Intent,
  'user_id' | 'id' | 'item_uid' | 'seller_account_uid' | 'listing_id' | 'listing_url' | 'cause' | 'cause_ref'
> & { platform: PlatformSlug }

/** What changed about a listing, for the seller's streams and webhooks; last in the transaction that makes it true. */
export async function tellListing(
  tx: Queries,
  type: Extract<EventType, `listing.${string}`>,
  intent: About,
  more: Record<string, unknown> = {},
): Promise<void> {
  const data = {
    inventory_item_uid: intent.item_uid,
    platform: intent.platform,
    seller_account_uid: intent.seller_account_uid,
    listing_id: intent.listing_id,
    listing_url: intent.listing_url,
    cause: intent.cause,
    cause_ref: intent.cause_ref,
    ...more,
  }
  await emitEvents(tx, intent.user_id, [{ type, item_uid: intent.item_uid, data }])
}

/** A listing that should be down is not proven to be: an alarm for a person, and an event. */
export async function tellOverdue(tx: Queries, intent: About, why: string | null): Promise<void> {
  const { name } = platformOf(intent.platform)
  const about =
    intent.listing_id === null ? 'that was being put up and is not wanted may be' : 'should be down and may still be'
  const message = `A listing on ${name} ${about} live. ${why ?? ''}`.trim()
  const raised = await tx.oneOrNone(raiseAlarm, {
    ...intent,
    uid: newId('alm'),
    reference: referenceOf(intent),
    message,
  })
  if (raised) await tellListing(tx, 'listing.delist_overdue', intent, { message })
}

/** The listing is down after all, or never was up. */
export async function settleOverdue(tx: Queries, intent: About): Promise<void> {
  await tx.none(settleAlarm, { ...intent, reference: referenceOf(intent) })
}

/** What an alarm is about: the listing, else the attempt that may have made one. */
function referenceOf({ id, listing_id }: About): string {
  return listing_id ?? `intent ${id}`
}
