import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { status } from '#shared/contract/status.ts'
import { readStatus, type Status } from './read-status.ts'

/** Cache time: the endpoint is public, and only one query runs per interval. */
const keptMs = 5_000

export function statusRoutes(services: Services): Handlers<typeof status> {
  const read = kept(() => readStatus(services.db, services.now()), keptMs)
  return { getStatus: async () => ({ status: 200, body: await read() }) }
}

/** Caches a reading for `ms`. */
function kept(read: () => Promise<Status>, ms: number): () => Promise<Status> {
  let last: { value: Promise<Status>; untilMs: number } | null = null
  return () => {
    if (last && last.untilMs > performance.now()) return last.value
    const value = read()
    const made = { value, untilMs: performance.now() + ms }
    last = made
    // Do not cache failures.
    value.catch(() => {
      if (last === made) last = null
    })
    return value
  }
}
