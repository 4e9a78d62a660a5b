import type { Transaction } from '#server/infra/db/index.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { Decided } from './decide-listings.ts'

/** Emits `item.created` for each item that an import made. Call last in the transaction. */
export async function emitItemsCreated(
  tx: Transaction,
  job: { user_id: number; uid: string },
  decided: readonly Pick<Decided, 'decision'>[],
): Promise<void> {
  await emitEvents(
    tx,
    job.user_id,
    decided.flatMap(({ decision }) => {
      if (decision.status !== 'imported') return []
      const { item_uid } = decision
      const data = { inventory_item_uid: item_uid, cause: 'import', cause_ref: job.uid }
      return [{ type: 'item.created' as const, item_uid, data }]
    }),
  )
}
