import type { Queries } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import { factsOf } from './classify-item.ts'
import { findFaults } from './find-faults.ts'
import * as sql from './queries.ts'

/** Name of the queue of checks. */
export const checkQueue = 'inventory-check'

/** Seconds from a cause to its check, so that many answers in a row cause one. */
const waitSeconds = 2

/** Checks a user's whole inventory and stores what it finds. Returns how many faults there are. */
export function runCheck(services: Pick<Services, 'db'>, user_id: number): Promise<number> {
  return transaction(services.db, 'check-inventory', async (tx) => {
    await tx.none(sql.lockCheck({ user_id }))
    const found = await findFaults(tx, user_id)
    const rows = found.map((fault) => ({
      ...{ uid: newId('chk'), kind: fault.kind, item_uid: fault.item.uid, reference: fault.reference },
      facts: factsOf(fault),
    }))
    await tx.none(sql.keepFaults({ user_id, rows: JSON.stringify(rows) }))
    return found.length
  })
}

/** Has a user's inventory checked soon after the caller's transaction commits. */
export async function sendCheck(services: Pick<Services, 'jobs'>, queries: Queries, user_id: number): Promise<void> {
  const group = String(user_id)
  await services.jobs.send(queries, checkQueue, { user_id }, { key: group, group, startAfterSeconds: waitSeconds })
}

/** Checks the inventories of a few users that were not checked for a day. Returns how many. */
export async function checkDue(services: Pick<Services, 'db' | 'log'>): Promise<number> {
  const due = await services.db.any(sql.nextDue({ count: 20 }))
  for (const { user_id } of due) await runCheck(services, user_id)
  return due.length
}
