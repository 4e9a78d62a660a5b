import type { Transaction } from '#server/infra/db/index.ts'
import type { ConnectionHook, ConnectionHooks, Services } from '#server/services.ts'

/** Runs the hooks of one kind in sequence, because they share a database connection. */
export async function runHooks<Kind extends keyof ConnectionHooks>(
  kind: Kind,
  services: Services,
  queries: Transaction,
  shop: Parameters<ConnectionHooks[Kind][number]>[2],
): Promise<void> {
  const hooks = services.connectionHooks[kind] as ConnectionHook<typeof shop>[]
  for (const hook of hooks) await hook(services, queries, shop)
}
