import type { Queries } from '#server/infra/db/index.ts'
import { sql } from '#server/infra/db/index.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { Services } from '#server/services.ts'
import { type AccessRow, refreshAccess } from './refresh-access.ts'
import type { ShopOwner } from './with-shop-access.ts'

const findAccess = sql(import.meta.url, './sql/find-access.sql')

export const confirmQueue = 'connections-confirm'

/**
 * Has a connection confirmed at once, in the caller's transaction. A push that names a withdrawn consent may be late, and
 * the seller may have connected again since: only the platform's own refusal ends a connection.
 */
export async function confirmConnection(
  { jobs }: Pick<Services, 'jobs'>,
  queries: Queries,
  { user_id, seller_account_uid }: ShopOwner,
): Promise<void> {
  await jobs.send(queries, confirmQueue, { user_id, seller_account_uid }, { key: seller_account_uid })
}

/** Renews the grant of a shop, which marks the shop lost where the platform refuses. Throws where it does not answer. */
export async function runConfirmation(services: Services, owner: ShopOwner): Promise<void> {
  const row = await services.db.oneOrNone<AccessRow>(findAccess, owner)
  const adapter = row && services.platforms.get(row.platform)
  if (!row || !adapter || row.status !== 'connected') return
  try {
    await refreshAccess(services, adapter, row)
  } catch (error) {
    const isOver = error instanceof HttpProblem || (error instanceof PlatformError && error.failure === 'reconnect')
    if (!isOver) throw error
  }
}
