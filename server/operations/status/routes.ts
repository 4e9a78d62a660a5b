import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { status } from '#shared/contract/status.ts'
import { kept } from './global-metrics.ts'
import { readStatus } from './read-status.ts'

/** Cache time: the endpoint is public, and only one query runs per interval. */
export const keptMs = 5_000

export function statusRoutes(services: Services): Handlers<typeof status> {
  const read = kept(() => readStatus(services.db, services), keptMs)
  return { getStatus: async () => ({ status: 200, body: await read() }) }
}
