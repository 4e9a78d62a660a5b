import type { Borders } from '#e2e/harness/campaigns/borders.ts'
import type { Services } from '#server/services.ts'
import { claimOperations } from '../claim-operations.ts'
import { apiPlatforms, type ListingOperation } from '../operation.ts'
import { runOperation } from '../operations/run-operation.ts'

/**
 * Runs an item's operations like a worker until none is open, or until the worker given by its borders has died. Waits
 * between attempts, and the leases of workers that stopped, are over at once.
 */
export async function runOpen(services: Services, item_uid: string, worker?: Borders): Promise<void> {
  if (worker) await worker.run(() => runAll(services, item_uid, worker))
  else await runAll(services, item_uid)
}

async function runAll(services: Services, item_uid: string, worker?: Borders): Promise<void> {
  const by = worker?.services ?? services
  const { signal } = new AbortController()
  for (let round = 0; round < 12; round++) {
    if (worker?.isDead()) return
    await services.db.none(
      "update listing_operation set next_attempt_at = now(), lease_until = null where item_uid = $1 and state = 'open'",
      [item_uid],
    )
    const claimed: ListingOperation[] = []
    for (const queue of ['down', ...apiPlatforms]) {
      claimed.push(...(await claimOperations(by.db, { queue, count: 10, lease_ms: 60_000, most_of_account: null })))
    }
    if (claimed.length === 0) return
    for (const operation of claimed) await runOperation(by, operation, { leaseMs: 60_000, signal })
  }
  throw new Error('the operations do not end')
}
