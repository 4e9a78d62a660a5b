import type { Queries } from '#server/db/index.ts'
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
 * What other features do when a connection changes. They add their functions when their module is loaded (a set: adding
 * twice is adding once).
 * - `connected`: the seller has just connected it, for the first time or again
 * - `resumed`: it works again after reconnect_required or a disconnect; go on with what waited
 * - `lost`: the platform no longer accepts us; what runs should wait
 * - `disconnected`: the seller took it away; what runs should stop
 */
export const connectionHooks = {
  connected: new Set<ConnectionHook>(),
  resumed: new Set<ConnectionHook>(),
  lost: new Set<ConnectionHook>(),
  disconnected: new Set<ConnectionHook>(),
}

/** Runs every hook of one kind, one after the other: they share one connection. */
export async function runHooks(
  kind: keyof typeof connectionHooks,
  services: Services,
  queries: Queries,
  account: ConnectionRef,
): Promise<void> {
  for (const hook of connectionHooks[kind]) await hook(services, queries, account)
}
