import { type Queries, sql } from '#server/infra/db/index.ts'
import type { ConnectionRef, Services } from '#server/services.ts'
import { runHooks } from './hooks.ts'

const destroy = sql(import.meta.url, './sql/destroy-connections.sql')

/** A shop as its owner knows it. */
export interface DestroyedConnection extends ConnectionRef {
  external_name: string
}

/**
 * Ends all connections of an account in the caller's transaction, which holds the account: their tokens are gone, and so
 * is whatever could bring one back; running work is told to stop. Answers the shops that were connected.
 */
export async function destroyConnections(
  services: Services,
  queries: Queries,
  userId: number,
): Promise<DestroyedConnection[]> {
  const shops = await queries.any<DestroyedConnection>(destroy, { user_id: userId })
  for (const shop of shops) await runHooks('disconnected', services, queries, shop)
  return shops
}
