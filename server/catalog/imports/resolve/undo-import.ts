import { requireOpenAccount } from '#server/http/lock-user.ts'
import type { Queries, Transaction } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import * as sql from './queries.ts'

/** Items deleted in one transaction. */
const batchSize = 500

/**
 * Removes the items that an import created, except those that something happened to since. `finish` runs in the last
 * transaction. Returns how many are gone, and how many stay.
 */
export async function undoImport(
  services: Pick<Services, 'db' | 'quotas'>,
  { user_id, subject_uid: job_uid }: { user_id: number; subject_uid: string },
  finish: (tx: Queries) => Promise<unknown>,
): Promise<{ undone: number; kept: number }> {
  const total = { undone: 0, kept: 0 }
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    // The transaction may run again, so its counts are added once it has committed.
    const batch = await transaction(services.db, 'undo-import', async (tx) => {
      await requireOpenAccount(tx, user_id)
      const locked = await tx.any(
        sql.lockCreated({
          ...{ user_id, job_uid, uids: null, after: from, limit: batchSize },
        }),
      )
      const uids = locked.map(({ uid }) => uid)
      const removed = uids.length === 0 ? [] : await deleteLocked(tx, { user_id, job_uid, uids })
      const [undone, kept] = [removed.length, uids.length - removed.length]
      const next = uids.length === batchSize ? uids.at(-1)! : null
      const isAllKept = total.undone + undone === 0 && total.kept + kept > 0
      if (next === null && !isAllKept) await finish(tx)
      return { undone, kept, next }
    })
    total.undone += batch.undone
    total.kept += batch.kept
    after = batch.next
  }
  services.quotas.add(user_id, { items: -total.undone })
  return total
}

interface Created {
  user_id: number
  job_uid: string
  uids: string[]
}

/** Deletes items that a decision of an import created, if nothing happened to them since. Returns the deleted ones. */
export async function deleteUnchanged(tx: Transaction, created: Created): Promise<{ uid: string }[]> {
  await tx.any(sql.lockCreated({ ...created, after: '', limit: created.uids.length }))
  return deleteLocked(tx, created)
}

async function deleteLocked(tx: Transaction, created: Created): Promise<{ uid: string }[]> {
  const gone = await tx.any(sql.deleteUnchanged(created))
  await emitEvents(
    tx,
    created.user_id,
    gone.map(({ uid, sku }) => ({
      type: 'item.deleted',
      item_uid: uid,
      data: { inventory_item_uid: uid, sku },
    })),
  )
  return gone
}
