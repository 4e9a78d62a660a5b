import type { Handlers } from '#server/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { status } from '#shared/contract/status.ts'
import { readStatus, type Status } from './read-status.ts'

/** Anybody may ask: the database is asked once in so long, however many do. */
const keptMs = 5_000

export function statusRoutes(services: Services): Handlers<typeof status> {
  const read = kept(() => readStatus(services.db, services.now()), keptMs)
  return { getStatus: async () => ({ status: 200, body: await read() }) }
}

/** A reading that is shared by all who ask within `ms` of it. */
function kept(read: () => Promise<Status>, ms: number): () => Promise<Status> {
  let last: { value: Promise<Status>; untilMs: number } | null = null
  return () => {
    if (last && last.untilMs > performance.now()) return last.value
    const value = read()
    const made = { value, untilMs: performance.now() + ms }
    last = made
    // A failure is not kept.
    value.catch(() => {
      if (last === made) last = null
    })
    return value
  }
}
