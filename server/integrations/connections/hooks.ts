import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

export interface ConnectionRef {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
}

/** Runs inside the transaction that changes the connection: what it writes and sends exists if and only if the change does. */
export type ConnectionHook = (services: Services, queries: Queries, account: ConnectionRef) => Promise<void>

/**
 * The hooks of all features (server/connection-hooks.ts).
 * - `connected`: the seller has just connected it, for the first time or again
 * - `resumed`: it works again after reconnect_required or a disconnect; go on with what waited
 * - `lost`: the platform no longer accepts us; what runs should wait
 * - `disconnected`: the seller took it away; what runs should stop
 */
export type ConnectionHooks = Record<'connected' | 'resumed' | 'lost' | 'disconnected', ConnectionHook[]>

/** Runs every hook of one kind, one after the other: they share one connection. */
export async function runHooks(
  kind: keyof ConnectionHooks,
  services: Services,
  queries: Queries,
  account: ConnectionRef,
): Promise<void> {
  for (const hook of services.connectionHooks[kind]) await hook(services, queries, account)
}
