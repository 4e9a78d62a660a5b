import { cleanLine } from '#server/catalog/inventory/clean.ts'
import type { Transaction } from '#server/infra/db/index.ts'
import { invalidField, problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { newOrderedId } from '#shared/identity.ts'
import { emitItemsCreated } from '../deciding/emit-items-created.ts'
import { writeDecisions } from '../deciding/write-decisions.ts'
import { type ConflictRow, contentOf } from './conflict-row.ts'
import { applyWaitingOrders } from './listing-sales.ts'
import * as sql from './queries.ts'

/**
 * Creates an item from the listing. A free SKU is required if the conflict is about the SKU or another item has it;
 * else the listing's own is used. Throws 400 without one, 409 `sku_in_use` and `quota_exceeded`, and 409 if the listing
 * has an item.
 */
export async function createNew(
  services: Services,
  tx: Transaction,
  { user_id, job_uid }: { user_id: number; job_uid: string },
  row: ConflictRow,
  givenSku: string | undefined,
): Promise<string> {
  await services.quotas.requireItemQuota(user_id)
  const uid = newOrderedId('inv')
  const { found, content } = await contentOf(services, tx, user_id, row, uid)
  const given = cleanLine(givenSku ?? '') || null
  const sku = given ?? content.sku
  const isTaken = sku !== null && (await tx.oneOrNone(sql.findSkuHolder({ user_id, sku }))) !== null
  if (given === null && (isTaken || row.conflict_type === 'duplicate_sku' || row.conflict_type === 'missing_sku')) {
    throw invalidField('sku', 'required', 'is needed: a SKU that no other item has')
  }
  const { listing_id } = found
  if (await tx.oneOrNone(sql.findListing({ user_id, seller_account_uid: row.seller_account_uid, listing_id }))) {
    throw problem('conflict', 'This listing already has an item. Link or overwrite that one.')
  }
  if (isTaken) throw problem('sku_in_use')
  const decision = { status: 'imported', item_uid: uid, content: { ...content, sku, product_id: sku ?? uid } } as const
  await writeDecisions(tx, { ...row, user_id, uid: job_uid }, [
    { uid: row.uid, item_uid: uid, observed_at: row.observed_at, found, decision },
  ])
  await applyWaitingOrders(services, tx, { user_id, job_uid }, row)
  await emitItemsCreated(tx, { user_id, uid: job_uid }, [{ decision }])
  return uid
}
