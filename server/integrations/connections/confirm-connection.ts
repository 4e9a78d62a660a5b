import type { Queries } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { refreshAccess } from './refresh-access.ts'
import type { ShopOwner } from './with-shop-access.ts'

export const confirmQueue = 'connections-confirm'

/**
 * Schedules a check of a connection in the caller's transaction. A push about a revoked consent may arrive after the
 * seller has reconnected, so only the platform's own refusal ends a connection.
 */
export async function confirmConnection(
  { jobs }: Pick<Services, 'jobs'>,
  queries: Queries,
  { user_id, seller_account_uid }: ShopOwner,
): Promise<void> {
  await jobs.send(queries, confirmQueue, { user_id, seller_account_uid }, { key: seller_account_uid })
}

/**
 * Renews a shop's grant, which marks the shop lost if the platform refuses. Throws if the platform does not answer.
 */
export async function runConfirmation(services: Services, owner: ShopOwner): Promise<void> {
  const row = await services.db.oneOrNone(sql.findAccess(owner))
  const adapter = row && services.platforms.get(row.platform)
  if (!row || !adapter || row.status !== 'connected') return
  try {
    await refreshAccess(services, adapter, row)
  } catch (error) {
    const isOver = error instanceof HttpProblem || (error instanceof PlatformError && error.failure === 'reconnect')
    if (!isOver) throw error
  }
}
