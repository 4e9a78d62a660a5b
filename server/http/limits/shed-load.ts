import type { Database } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { RequestCheck } from '../check-request.ts'
import { isHealth } from '../health.ts'
import type { LimitSettings } from './limit-settings.ts'

/** Answers 503 at once, but for questions about health, while too many queries wait for a connection to the database. */
export function shedLoad({ db, limits }: { db: Database; limits: LimitSettings }): RequestCheck {
  const pool: { waitingCount: number } = db.$pool
  return (ctx) => {
    if (pool.waitingCount >= limits.waitingForDatabase && !isHealth(ctx.path))
      throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
  }
}
