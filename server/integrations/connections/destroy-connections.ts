import type { Transaction } from '#server/infra/db/index.ts'
import type { ConnectionRef, Services } from '#server/services.ts'
import { runHooks } from './hooks.ts'
import * as sql from './queries.ts'

/** A disconnected shop with its name. */
interface DestroyedConnection extends ConnectionRef {
  external_name: string
}

/**
 * Ends all connections of an account in the caller's transaction, which must hold the account's lock. Deletes their
 * tokens and pending authorizations, and stops running work. Returns the shops that were connected.
 */
export async function destroyConnections(
  services: Services,
  queries: Transaction,
  userId: number,
): Promise<DestroyedConnection[]> {
  const shops = await queries.any(sql.destroyConnections({ user_id: userId }))
  for (const shop of shops) await runHooks('disconnected', services, queries, shop)
  return shops
}
