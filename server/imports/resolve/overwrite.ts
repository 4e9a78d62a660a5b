import { type Queries, sql } from '#server/db/index.ts'
import { noteMove } from '#server/inventory/note-move.ts'
import type { Services } from '#server/services.ts'
import type { Availability } from '#shared/inventory-record.ts'
import { platformName } from '../decide.ts'
import { attachListing, type ConflictRow, contentOf, lockTargetItem, type TargetItem } from './conflict-row.ts'
import { takeDownElsewhere } from './take-down-elsewhere.ts'

const overwriteItem = sql(import.meta.url, './sql/overwrite-item.sql')
const findSkuHolder = sql(import.meta.url, './sql/find-sku-holder.sql')

/** "Replace mine with this." The item says what the listing says; what was sold there is sold here. */
export async function overwrite(
  services: Services,
  tx: Queries,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
  targetUid: string,
): Promise<string> {
  const target = await lockTargetItem(tx, user_id, targetUid)
  const listing = await contentOf(services, tx, user_id, row, target.uid)
  await attachListing(tx, user_id, row, listing, target.uid)
  const { sku } = listing.content
  const holder = sku === null ? null : await tx.oneOrNone<{ uid: string }>(findSkuHolder, { user_id, sku })
  const state = stateAfter(target, listing.content.state)
  await tx.none(overwriteItem, { ...listing.content, sku: holder ? null : sku, state, user_id, uid: target.uid })
  if (state !== target.state) {
    await noteMove(tx, {
      user_id,
      item_uid: target.uid,
      version: target.version + 1,
      actor: 'import',
      from_state: target.state,
      to_state: state,
      reason: `Sold on ${platformName(row.platform)}, as its listing says`,
      reference: job_uid,
    })
    await takeDownElsewhere(tx, {
      user_id,
      item_uid: target.uid,
      job_uid,
      platform: row.platform,
      sold: listing.found.listing_id,
    })
  }
  return target.uid
}

/**
 * Only a sale is taken over from a listing. Whether a thing is on offer elsewhere, or withdrawn, is not for one listing to
 * say, and what is sold stays sold.
 */
function stateAfter(target: TargetItem, listed: Availability): Availability {
  return listed === 'sold' && (target.state === 'available' || target.state === 'reserved') ? 'sold' : target.state
}
